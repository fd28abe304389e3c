/* Replays: every figure of class "replay" becomes a player of the episode in its data, with a picture of its game
 * from pictures.js. */
(function () {
  "use strict";

  const { shape, element, between, translate, games } = replayPictures;
  const SPEEDS = [0.5, 1, 2, 4, 8, 16]; /* moves a second */
  const ROWS = 6; /* choices shown */
  const STEP_MS = 260; /* a move made by hand */
  const WIDE = 860; /* pixels, from which on things stand side by side */
  const REST = 0.4; /* share of a move's time before it begins */
  const still = window.matchMedia("(prefers-reduced-motion: reduce)");

  /* ---- words ---- */

  const blockName = (block) => (block === 0 ? "the ground" : "block " + block);
  const words = {
    blocks: (move) => blockName(move[0]) + " onto " + blockName(move[1]),
    sort: (move) => "swap slots " + move[0] + " and " + move[1],
    path: (move) => "go to node " + move[0]
  };

  /* Two digits; a third where two would say little. */
  const digits = (share) => share.toFixed(share >= 0.0005 && share < 0.0995 ? 3 : 2);

  /* ---- controls ---- */

  const icons = {
    first: "M5 4h2v12h-2zM16 4v12l-8 -6z", back: "M14 4v12l-9 -6z", play: "M6 3v14l11 -7z",
    pause: "M5 4h4v12h-4zM11 4h4v12h-4z", forward: "M6 4v12l9 -6z", last: "M13 4h2v12h-2zM4 4v12l8 -6z"
  };

  function iconButton(parent, name, said, act) {
    const made = element("button", "replay-" + name, parent), icon = shape("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, made);
    made.type = "button";
    made.title = said;
    made.setAttribute("aria-label", said);
    shape("path", { d: icons[name] }, icon);
    made.addEventListener("click", act);
    return made;
  }

  function makeControls(figure, last, act) {
    const bar = element("div", "replay-controls", figure), buttons = element("div", "replay-buttons", bar);
    const made = { bar: bar };
    iconButton(buttons, "first", "first position (Home)", () => act.go(0));
    iconButton(buttons, "back", "one move back (left arrow)", () => act.by(-1));
    made.play = iconButton(buttons, "play", "play (space)", act.toggle);
    iconButton(buttons, "forward", "one move on (right arrow)", () => act.by(1));
    iconButton(buttons, "last", "last position (End)", () => act.go(last));
    made.slider = element("input", "replay-slider", bar);
    Object.assign(made.slider, { type: "range", min: 0, max: last, step: 1, value: 0 });
    made.slider.setAttribute("aria-label", "moves made");
    made.slider.addEventListener("input", () => act.go(Number(made.slider.value)));
    const field = element("label", "replay-speed", bar, "speed ");
    made.speed = element("select", "", field);
    made.speed.title = "moves a second (+ and -)";
    SPEEDS.forEach((speed) => element("option", "", made.speed, speed + "/s").setAttribute("value", speed));
    made.speed.addEventListener("change", () => act.speed(Number(made.speed.value)));
    return made;
  }

  /* The moves that the machine thinks of, in rows that stay. */
  function makeList(figure, data) {
    const box = element("div", "replay-thoughts", figure);
    const heading = element("p", "replay-dim", box);
    const list = element("ol", "replay-choices", box);
    const most = Math.min(ROWS, data.steps.reduce((count, step) => Math.max(count, step.top.length), 0));
    const rows = Array.from({ length: most }, function () {
      const row = element("li", "", list);
      const cells = ["mark", "words", "bar", "number"].map((name) => element("span", "replay-" + name, row));
      return { row: row, mark: cells[0], words: cells[1], fill: element("span", "", cells[2]), number: cells[3] };
    });
    /* Bars are relative to the most probable move: among hundreds of moves even that one is improbable. */
    return function (top) {
      const highest = top.reduce((most, choice) => Math.max(most, choice[1]), 0);
      heading.textContent = top.length > 0 ? "most probable moves; bars are relative to the highest"
        : "no move after this position";
      rows.forEach(function (cells, i) {
        const choice = top[i];
        cells.row.classList.toggle("empty", !choice);
        cells.row.classList.toggle("made", i === 0);
        cells.row.classList.toggle("illegal", Boolean(choice) && !choice[2]);
        cells.mark.textContent = i === 0 ? "\u25b8" : "";
        cells.words.textContent = choice ? words[data.game](choice[0]) + (choice[2] ? "" : " (illegal)") : "";
        cells.fill.style.transform = "scaleX(" + (choice && highest > 0 ? between(0, choice[1] / highest, 1) : 0) + ")";
        cells.number.textContent = choice ? digits(choice[1]) : "";
        if (i === 0) cells.row.setAttribute("aria-current", "true");
      });
    };
  }

  function makeLegend(figure, picture) {
    const box = element("p", "replay-legend", figure);
    picture.legend.forEach(function (entry) {
      const item = element("span", "", box);
      item.appendChild(entry[0]());
      item.appendChild(document.createTextNode(entry[1]));
    });
  }

  /* ---- the player ---- */

  function makePlayer(figure) {
    const data = JSON.parse(figure.querySelector(".replay-data").textContent), last = data.steps.length - 1;
    const stage = figure.querySelector(".replay-stage"), status = figure.querySelector(".replay-status");
    stage.textContent = "";
    const root = shape("svg", { class: "replay-picture", role: "img", "aria-label": data.game + ", the position" }, stage);
    const picture = games[data.game](data, root);
    const details = figure.querySelector(".replay-moves");
    let step = 0, playing = false, speed = 2, timer = 0, frame = 0, shown = [], width = 0;

    function place(pose) {
      shown = pose;
      picture.items.forEach((item, i) => translate(item, pose[i][0], pose[i][1]));
    }

    /* The move about to be made, moved into view where the picture is wider than its stage. */
    function hint() {
      picture.hint(step);
      if (root.hasAttribute("width") && picture.across) stage.scrollLeft = picture.across(step) - stage.clientWidth / 2;
    }

    function stop() {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    }

    /* From where they are to the pose of a step; only what moves is touched. */
    function fly(to, ms, landed) {
      const from = shown, goal = picture.pose(to);
      const moving = goal.map((end, i) => i).filter((i) => goal[i][0] !== from[i][0] || goal[i][1] !== from[i][1]);
      if (still.matches || ms <= 0 || moving.length === 0) {
        place(goal);
        if (ms > 0 && !still.matches) timer = setTimeout(landed, ms);
        else landed();
        return;
      }
      moving.forEach((i) => picture.items.length > 1 && picture.items[i].parentNode.appendChild(picture.items[i]));
      let begun = 0;
      shown = from.slice();
      const draw = function (time) {
        begun = begun || time;
        const t = Math.min(1, (time - begun) / ms), eased = t * t * (3 - 2 * t);
        moving.forEach(function (i) {
          const lift = picture.arc(from[i], goal[i]) * 4 * eased * (1 - eased);
          shown[i] = [from[i][0] + (goal[i][0] - from[i][0]) * eased, from[i][1] + (goal[i][1] - from[i][1]) * eased - lift];
          translate(picture.items[i], shown[i][0], shown[i][1]);
        });
        if (t < 1) {
          frame = requestAnimationFrame(draw);
          return;
        }
        shown = goal;
        landed();
      };
      frame = requestAnimationFrame(draw);
    }

    /* Of an agent whose moves are chosen by a list of rules. */
    function byRule(rule) {
      return rule === undefined ? "" : rule > 0 ? ", by move_" + rule : ", as no rule holds";
    }

    function sayStatus() {
      const top = data.steps[step].top, made = top[0];
      figure.classList.toggle("ended", step === last);
      figure.classList.toggle("solved", step === last && data.solved);
      if (step === last) status.textContent = (data.solved ? "\u2713 " : "") + data.outcome;
      else
        status.textContent = "move " + (step + 1) + " of " + last + ", " + words[data.game](made[0]) + ", probability " +
          digits(made[1]) + byRule(data.steps[step].rule) + (made[2] ? "" : ", illegal: it changes nothing");
    }

    function commit(next) {
      step = next;
      figure.setAttribute("data-step", step);
      figure.setAttribute("data-state", JSON.stringify(data.steps[step].state));
      figure.setAttribute("data-solved", String(data.solved && step === last));
      picture.mark(step);
      showChoices(data.steps[step].top);
      sayStatus();
      controls.slider.value = step;
      controls.slider.setAttribute("aria-valuetext", step + " of " + last + " moves made");
    }

    function setPlaying(now) {
      const button = controls.play, said = now ? "pause (space)" : "play (space)";
      playing = now;
      button.title = said;
      button.setAttribute("aria-label", said);
      button.querySelector("path").setAttribute("d", now ? icons.pause : icons.play);
      figure.classList.toggle("playing", now);
    }

    function playOn() {
      const all = 1000 / speed;
      timer = setTimeout(function () {
        fly(step + 1, all * (1 - REST), function () {
          commit(step + 1);
          hint();
          if (step < last) playOn();
          else setPlaying(false);
        });
      }, still.matches ? all : all * REST);
    }

    function go(to) {
      const next = between(0, to, last), ms = Math.abs(next - step) === 1 ? STEP_MS : 0;
      stop();
      setPlaying(false);
      picture.hint(-1);
      commit(next);
      fly(next, ms, hint);
    }

    function toggle() {
      const start = !playing;
      if (start && step === last) go(0);
      stop();
      place(picture.pose(step));
      hint();
      setPlaying(start && last > 0);
      if (playing) playOn();
    }

    function setSpeed(next) {
      speed = next;
      controls.speed.value = String(speed);
    }

    function faster(by) {
      setSpeed(SPEEDS[between(0, SPEEDS.indexOf(speed) + by, SPEEDS.length - 1)]);
    }

    /* For the width that there is. */
    function redraw() {
      const wide = Math.max(240, Math.floor(stage.clientWidth));
      if (wide === width) return;
      width = wide;
      figure.classList.toggle("wide", width >= WIDE);
      const high = Math.ceil(picture.layout(width)), needed = Math.ceil(Math.max(width, picture.width || 0));
      root.setAttribute("viewBox", "0 0 " + needed + " " + high);
      if (needed > width) root.setAttribute("width", needed);
      else root.removeAttribute("width");
      stop();
      place(picture.pose(step));
      picture.mark(step);
      hint();
      if (playing) playOn();
    }

    const act = { go: go, by: (count) => go(step + count), toggle: toggle, speed: setSpeed, faster: faster, last: last };
    const controls = makeControls(figure, last, act), showChoices = makeList(figure, data);
    makeLegend(figure, picture);
    element("p", "replay-keys replay-dim", figure, "keys: space, left and right arrow, Home, End, + and -");
    figure.appendChild(details);
    setSpeed(speed);
    redraw();
    commit(0);
    new ResizeObserver(redraw).observe(stage);
    return act;
  }

  /* ---- the page ---- */

  const figures = Array.from(document.querySelectorAll("figure.replay"));
  if (figures.length === 0) return;
  const players = new Map(figures.map((figure) => [figure, makePlayer(figure)]));

  const keys = {
    " ": (player) => player.toggle(), ArrowLeft: (player) => player.by(-1), ArrowRight: (player) => player.by(1),
    Home: (player) => player.go(0), End: (player) => player.go(player.last),
    "+": (player) => player.faster(1), "=": (player) => player.faster(1), "-": (player) => player.faster(-1)
  };

  /* Buttons, lists and the like keep the keys that they have a use for. */
  function isTaken(key, target) {
    if (target.matches("select, textarea, [contenteditable], input:not([type=range])")) return true;
    return (key === " " || key === "Enter") && target.matches("button, summary, a");
  }

  document.addEventListener("keydown", function (event) {
    const target = event.target instanceof Element ? event.target : document.body;
    const alone = figures.length === 1 && target === document.body; /* nothing else has a use for the key */
    const figure = target.closest("figure.replay") || (alone ? figures[0] : null);
    const act = keys[event.key];
    if (event.defaultPrevented || !figure || !act || event.ctrlKey || event.altKey || event.metaKey || isTaken(event.key, target)) return;
    event.preventDefault();
    act(players.get(figure));
  });
})();
