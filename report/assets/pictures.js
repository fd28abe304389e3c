/* Pictures of the games, for replays.
 *
 * A picture draws one game.  It has items (blocks, bars, or the ring around the current node), and for every
 * step a pose: where each item is.  The player moves items from pose to pose; all else is drawn anew at each
 * step.
 *
 *     picture.layout(width)   draw for so many pixels; returns the height
 *     picture.pose(step)      [x, y] of each item
 *     picture.mark(step)      what is in place, which way was walked
 *     picture.hint(step)      the move about to be made; step -1: none
 *     picture.width           of the drawing, where it can be more than that of layout
 *     picture.across(step)    the x to be seen then
 *     picture.legend          pairs of a shape and its words */
const replayPictures = (function () {
  "use strict";

  /* ---- elements ---- */

  const drawn = document.querySelector(".replay svg");
  const space = drawn ? drawn.namespaceURI : "";

  function shape(name, attributes, parent) {
    const made = document.createElementNS(space, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (parent) parent.appendChild(made);
    return made;
  }

  function element(name, className, parent, text) {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    if (parent) parent.appendChild(made);
    return made;
  }

  function label(parent, x, y, text, attributes) {
    const made = shape("text", Object.assign({ x: x, y: y, "text-anchor": "middle" }, attributes), parent);
    made.textContent = text;
    return made;
  }

  function between(least, value, most) {
    return Math.max(least, Math.min(value, most));
  }

  function translate(item, x, y) {
    item.setAttribute("transform", "translate(" + x.toFixed(1) + " " + y.toFixed(1) + ")");
  }

  /* The head of an arrow that comes from (fromX, fromY). */
  function arrowHead(parent, fromX, fromY, x, y) {
    const angle = Math.atan2(y - fromY, x - fromX);
    const side = (turn) => (x - 9 * Math.cos(angle + turn)).toFixed(1) + " " + (y - 9 * Math.sin(angle + turn)).toFixed(1);
    shape("path", { class: "replay-head", d: "M" + x + " " + y + "L" + side(0.45) + "L" + side(-0.45) + "Z" }, parent);
  }

  /* By way of a point that pulls the line towards it. */
  function arrow(parent, x1, y1, pullX, pullY, x2, y2) {
    const line = "M" + x1 + " " + y1 + "Q" + pullX + " " + pullY + " " + x2 + " " + y2;
    shape("path", { class: "replay-arrow", d: line }, parent);
    arrowHead(parent, pullX, pullY, x2, y2);
  }

  /* What is not allowed: a broken line, and a cross at its end; each on a lighter one, to be seen on anything. */
  function refusal(parent, x1, y1, x2, y2) {
    const cross = "M" + (x2 - 8) + " " + (y2 - 8) + "l16 16m0 -16l-16 16";
    ["replay-halo", "replay-refused"].forEach(function (kind) {
      shape("line", { class: kind, x1: x1, y1: y1, x2: x2, y2: y2, "stroke-dasharray": "5 5" }, parent);
      shape("path", { class: kind, d: cross }, parent);
    });
  }

  function sample(className) {
    const picture = shape("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" });
    const group = shape("g", { class: className }, picture);
    return { picture: picture, group: group };
  }

  function boxSample(className) {
    const made = sample(className);
    shape("rect", { x: 2, y: 4, width: 16, height: 12 }, made.group);
    return made.picture;
  }

  /* ---- blocks ---- */

  /* The lowest block of each block's tower. */
  function basesOf(below) {
    const found = [];
    const find = (block) => found[block] ?? (found[block] = below[block] === 0 ? block : find(below[block] - 1));
    below.forEach((under, block) => find(block));
    return found;
  }

  /* How long each tower stands, from its first step to its last, and how high it gets. */
  function towerStays(bases) {
    const stays = [], open = [];
    bases.forEach(function (list, step) {
      const heights = [];
      list.forEach((base) => (heights[base] = (heights[base] || 0) + 1));
      list.forEach(function (base, block) {
        if (base !== block) open[block] = null;
        else if (!open[block]) stays.push((open[block] = { block: block, from: step, to: step, peak: heights[block] }));
        else Object.assign(open[block], { to: step, peak: Math.max(open[block].peak, heights[block]) });
      });
    });
    return stays;
  }

  /* The place of the tower that each block stands in, for all steps.  A tower keeps its place; the highest
   * come first. */
  function towerPlaces(steps) {
    const bases = steps.map((step) => basesOf(step.state)), stays = towerStays(bases);
    const taken = [], at = steps.map(() => []);
    stays.sort((a, b) => b.peak - a.peak || a.from - b.from || a.block - b.block);
    stays.forEach(function (stay) {
      const isFree = (others) => others.every((other) => other.to < stay.from || other.from > stay.to);
      let place = taken.findIndex(isFree);
      if (place < 0) place = taken.push([]) - 1;
      taken[place].push(stay);
      for (let step = stay.from; step <= stay.to; step++) at[step][stay.block] = place;
    });
    return bases.map((list, step) => list.map((base) => at[step][base]));
  }

  /* Blocks below each block. */
  function levels(below) {
    const found = [];
    const find = (block) => found[block] ?? (found[block] = below[block] === 0 ? 0 : find(below[block] - 1) + 1);
    below.forEach((under, block) => find(block));
    return found;
  }

  function inPlace(below, target) {
    const found = [];
    const find = (block) =>
      found[block] ?? (found[block] = below[block] === target[block] && (below[block] === 0 || find(below[block] - 1)));
    below.forEach((under, block) => find(block));
    return found;
  }

  /* Towers of the target, in the order in which they stand at the end. */
  function targetPlaces(target, lastState, lastPlaces) {
    const bases = [];
    target.forEach((under, block) => under === 0 && bases.push(block));
    const order = (block) => (lastState[block] === 0 ? lastPlaces[block] : lastState.length + block);
    bases.sort((a, b) => order(a) - order(b));
    const find = (block) => (target[block] === 0 ? bases.indexOf(block) : find(target[block] - 1));
    return target.map((under, block) => find(block));
  }

  function blocksPicture(data, root) {
    const places = towerPlaces(data.steps);
    const views = data.steps.map((step, i) => ({ places: places[i], levels: levels(step.state) }));
    const wanted = {
      places: targetPlaces(data.target, data.steps[data.steps.length - 1].state, places[places.length - 1]),
      levels: levels(data.target)
    };
    const highest = (list) => 1 + list.reduce((most, view) => Math.max(most, ...view.levels), 0);
    const countOf = (list) => 1 + list.reduce((most, view) => Math.max(most, ...view.places), 0);
    const now = countOf(views), then = countOf([wanted]);
    const size = { wide: 0, high: 0 };
    let worlds = [], items = [], goals = [], hints = null, counted = null;

    function draw(parent, block, attributes) {
      const item = shape("g", Object.assign({ class: "replay-item" }, attributes), parent);
      shape("rect", { x: 1.5, y: 1.5, width: size.wide - 3, height: size.high - 3, rx: 3 }, item);
      label(item, size.wide / 2, size.high / 2, block + 1, { dy: "0.36em" }).style.fontSize = size.font + "px";
      return item;
    }

    /* The worlds beside each other or, where blocks would get too small to read, one below the other. */
    function arrange(width) {
      const least = data.objects < 100 ? 20 : 26, most = 46, gap = 32, each = (width - gap) / (now + then);
      if (each >= least) return { wide: Math.min(each, most), gap: gap, beside: true };
      return { wide: between(least, width / Math.max(now, then), most), gap: gap, beside: false };
    }

    function drawGround(world, parent) {
      shape("line", { class: "replay-ground", x1: world.left, x2: world.left + world.towers * size.wide, y1: world.ground, y2: world.ground },
        parent);
    }

    function where(world, view, block) {
      return [world.left + view.places[block] * size.wide, world.ground - (view.levels[block] + 1) * size.high];
    }

    /* All towers of a world stand on one ground, even if that takes a picture wider than there is room for. */
    function layout(width) {
      const plan = arrange(width), top = 48, below = 46;
      size.wide = plan.wide;
      size.high = Math.round(Math.max(18, plan.wide * 0.66));
      size.font = between(10, size.high * 0.6, 15);
      const heights = [highest(views), highest([wanted])], first = plan.beside ? Math.max(...heights) : heights[0];
      const ground = top + first * size.high;
      worlds = [{ left: 0, towers: now, ground: ground },
        plan.beside ? { left: now * size.wide + plan.gap, towers: then, ground: ground }
          : { left: 0, towers: then, ground: ground + below + heights[1] * size.high }];
      picture.width = Math.max(...worlds.map((world) => world.left + world.towers * size.wide));
      root.textContent = "";
      const behind = shape("g", {}, root), labelled = plan.beside ? 13 : ground + below - 18;
      worlds.forEach((world) => drawGround(world, behind));
      label(behind, 0, 13, "now", { class: "replay-world", "text-anchor": "start" });
      counted = label(behind, 34, 13, "", { class: "replay-dim", "text-anchor": "start" });
      label(behind, worlds[1].left, labelled, "target", { class: "replay-world", "text-anchor": "start" });
      goals = data.target.map((under, block) => draw(behind, block, { "data-target-block": block + 1 }));
      goals.forEach((goal, block) => translate(goal, ...where(worlds[1], wanted, block)));
      const front = shape("g", {}, root);
      items = data.target.map((under, block) => draw(front, block, { "data-block": block + 1 }));
      picture.items = items;
      hints = shape("g", {}, root);
      return worlds[1].ground + 10;
    }

    function pose(step) {
      return items.map((item, block) => where(worlds[0], views[step], block));
    }

    function mark(step) {
      const below = data.steps[step].state, right = inPlace(below, data.target);
      items.forEach(function (item, block) {
        item.classList.toggle("in-place", right[block]);
        goals[block].classList.toggle("in-place", right[block]);
        item.setAttribute("data-below", below[block]);
        item.setAttribute("data-in-place", right[block]);
      });
      counted.textContent = right.filter(Boolean).length + " of " + right.length + " in place";
    }

    function hint(step) {
      hints.textContent = "";
      items.forEach((item) => item.classList.remove("moving"));
      if (step < 0 || data.steps[step].top.length === 0) return;
      const move = data.steps[step].top[0][0], legal = data.steps[step].top[0][2], middle = size.wide / 2;
      const spot = (at, block) => where(worlds[0], views[at], block);
      if (move[0] > 0) items[move[0] - 1].classList.add("moving");
      if (!legal || step + 1 >= views.length) {
        const to = move[1] > 0 ? spot(step, move[1] - 1) : move[0] > 0 ? spot(step, move[0] - 1) : [0, worlds[0].ground];
        const from = move[0] > 0 ? spot(step, move[0] - 1) : to;
        refusal(hints, from[0] + middle, from[1], to[0] + middle, to[1] + (move[1] > 0 ? 0 : size.high));
        return;
      }
      const from = spot(step, move[0] - 1), to = spot(step + 1, move[0] - 1);
      shape("rect", { class: "replay-ghost", x: to[0] + 1.5, y: to[1] + 1.5, width: size.wide - 3, height: size.high - 3, rx: 3 }, hints);
      const pull = Math.max(2, Math.min(from[1], to[1]) - 24 - Math.abs(to[0] - from[0]) * 0.12);
      arrow(hints, from[0] + middle, from[1] - 1, (from[0] + to[0]) / 2 + middle, pull, to[0] + middle, to[1] - 1);
    }

    /* The middle of the move about to be made. */
    function across(step) {
      const move = data.steps[step].top.length > 0 ? data.steps[step].top[0][0][0] : 0, next = Math.min(step + 1, views.length - 1);
      if (move === 0) return 0;
      return (where(worlds[0], views[step], move - 1)[0] + where(worlds[0], views[next], move - 1)[0] + size.wide) / 2;
    }

    const picture = {
      layout: layout, pose: pose, mark: mark, hint: hint, across: across, items: items,
      arc: (from, to) => Math.max(14, Math.abs(to[0] - from[0]) * 0.12 + 20),
      legend: [[() => boxSample("replay-item in-place"), "in place: it and all below stand as in the target"],
        [() => boxSample("replay-item"), "not yet"], [() => boxSample("replay-item moving"), "moves next"]]
    };
    return picture;
  }

  /* ---- sort ---- */

  function sortPicture(data, root) {
    const count = data.objects, slotOf = data.steps.map(function (step) {
      const slots = [];
      step.state.forEach((value, slot) => (slots[value] = slot));
      return slots;
    });
    let items = [], hints = null, wide = 0, abreast = 1, high = 0, row = 0;

    const where = (slot) => [(slot % abreast) * wide, Math.floor(slot / abreast) * row + 18 + high];

    function layout(width) {
      const least = count < 100 ? 20 : count < 1000 ? 26 : 32;
      const rows = Math.ceil((count * least) / width);
      abreast = Math.ceil(count / rows);
      wide = Math.min(width / abreast, 64);
      high = rows === 1 ? between(120, width * 0.3, 200) : 80;
      row = high + 58;
      root.textContent = "";
      const behind = shape("g", {}, root), front = shape("g", {}, root);
      for (let slot = 0; slot < count; slot++)
        label(behind, where(slot)[0] + wide / 2, where(slot)[1] + 15, slot, { class: "replay-dim" });
      for (let first = 0; first < count; first += abreast) {
        const y = where(first)[1], last = Math.min(abreast, count - first);
        shape("line", { class: "replay-ground", x1: 0, x2: last * wide, y1: y, y2: y }, behind);
      }
      items = slotOf[0].map(function (slot, value) {
        const item = shape("g", { class: "replay-item", "data-value": value }, front), tall = 4 + ((high - 4) * (value + 1)) / count;
        const edge = Math.max(1.5, wide * 0.1);
        shape("rect", { x: edge, y: -tall, width: wide - 2 * edge, height: tall, rx: 2 }, item);
        label(item, wide / 2, -tall - 4, value, { class: "replay-value" });
        return item;
      });
      picture.items = items;
      hints = shape("g", {}, root);
      return Math.ceil(count / abreast) * row;
    }

    function mark(step) {
      items.forEach(function (item, value) {
        item.classList.toggle("in-place", slotOf[step][value] === value);
        item.setAttribute("data-slot", slotOf[step][value]);
        item.setAttribute("data-in-place", slotOf[step][value] === value);
      });
    }

    function hint(step) {
      hints.textContent = "";
      items.forEach((item) => item.classList.remove("moving"));
      if (step < 0 || data.steps[step].top.length === 0) return;
      const move = data.steps[step].top[0][0], legal = data.steps[step].top[0][2];
      const [from, to] = move.map((slot) => [where(slot)[0] + wide / 2, where(slot)[1] + 20]);
      move.forEach((slot) => items[data.steps[step].state[slot]].classList.add("moving"));
      if (!legal) {
        refusal(hints, from[0], from[1], to[0], to[1]);
        return;
      }
      const pullX = (from[0] + to[0]) / 2, pullY = from[1] === to[1] ? from[1] + 28 : (from[1] + to[1]) / 2;
      arrow(hints, from[0], from[1], pullX, pullY, to[0], to[1]);
      arrowHead(hints, pullX, pullY, from[0], from[1]);
    }

    const picture = {
      layout: layout, mark: mark, hint: hint, items: items,
      pose: (step) => slotOf[step].map(where),
      arc: (from, to) => (to[0] > from[0] ? 12 : 0),
      legend: [[() => boxSample("replay-item in-place"), "in place: value and slot are the same"],
        [() => boxSample("replay-item"), "not yet"], [() => boxSample("replay-item moving"), "swapped next"]]
    };
    return picture;
  }

  /* ---- path ---- */

  function nodeShape(parent, kind, radius) {
    const r = radius, wide = 1.35 * radius;
    if (kind === "start") return shape("rect", { x: -r, y: -r, width: 2 * r, height: 2 * r }, parent);
    if (kind === "target")
      return shape("path", { d: "M0 " + -wide + "L" + wide + " 0L0 " + wide + "L" + -wide + " 0Z" }, parent);
    return shape("circle", { r: r }, parent);
  }

  function nodeSample(className, kind) {
    const made = sample(className);
    made.group.setAttribute("transform", "translate(10 10)");
    nodeShape(made.group, kind, kind === "plain" ? 8 : 6.5);
    return made.picture;
  }

  function waySample() {
    const made = sample("");
    shape("line", { class: "replay-way", x1: 1, y1: 10, x2: 19, y2: 10 }, made.group);
    return made.picture;
  }

  function pathPicture(data, root) {
    const kindOf = (node) => (node === data.start ? "start" : node === data.target ? "target" : "plain");
    let nodes = [], ways = null, hints = null, radius = 0, wide = 0, high = 0;
    const where = (node) => [
      radius * 2 + (data.points[2 * node] / 1000) * (wide - 4 * radius),
      radius * 2 + 6 + (data.points[2 * node + 1] / 1000) * (high - 4 * radius - 12)
    ];
    const at = (step) => data.steps[step].state[0];

    function line(parent, className, x, y) {
      const [from, to] = [where(x), where(y)];
      shape("line", { class: className, x1: from[0], y1: from[1], x2: to[0], y2: to[1] }, parent);
    }

    function layout(width) {
      wide = width;
      high = width < 520 ? width * 1.1 : between(320, width * 0.58, 560);
      radius = between(8, Math.sqrt((wide * high) / data.objects) * 0.2, 17);
      root.textContent = "";
      const behind = shape("g", {}, root);
      for (let e = 0; e < data.edges.length; e += 2) line(behind, "replay-edge", data.edges[e], data.edges[e + 1]);
      ways = shape("g", {}, root);
      const ring = shape("g", { class: "replay-walker" }, root);
      shape("circle", { r: radius * 1.6 }, ring);
      nodes = [];
      for (let node = 0; node < data.objects; node++) {
        const item = shape("g", { class: "replay-node " + kindOf(node), "data-node": node }, root);
        nodeShape(item, kindOf(node), radius);
        label(item, 0, 0, node, { dy: "0.36em" }).style.fontSize = between(9, radius * 0.95, 15) + "px";
        translate(item, ...where(node));
        nodes.push(item);
      }
      picture.items = [ring];
      hints = shape("g", {}, root);
      return high;
    }

    function mark(step) {
      ways.textContent = "";
      const walked = new Set([at(0)]);
      for (let i = 1; i <= step; i++) {
        if (at(i) !== at(i - 1)) line(ways, "replay-way", at(i - 1), at(i));
        walked.add(at(i));
      }
      nodes.forEach(function (item, node) {
        item.classList.toggle("current", node === at(step));
        item.classList.toggle("walked", walked.has(node));
      });
      picture.items[0].setAttribute("data-node-current", at(step));
    }

    function hint(step) {
      hints.textContent = "";
      if (step < 0 || data.steps[step].top.length === 0) return;
      const from = where(at(step)), to = where(data.steps[step].top[0][0][0]);
      const length = Math.hypot(to[0] - from[0], to[1] - from[1]) || 1;
      const x = (to[0] - from[0]) / length, y = (to[1] - from[1]) / length, off = radius * 1.6, end = length - radius * 1.4;
      if (!data.steps[step].top[0][2]) refusal(hints, from[0] + x * off, from[1] + y * off, to[0], to[1]);
      else if (end > off)
        arrow(hints, from[0] + x * off, from[1] + y * off, from[0] + (x * (off + end)) / 2, from[1] + (y * (off + end)) / 2,
          from[0] + x * end, from[1] + y * end);
    }

    const picture = {
      layout: layout, mark: mark, hint: hint, items: [],
      pose: (step) => [where(at(step))],
      arc: () => 0,
      legend: [[() => nodeSample("replay-node start", "start"), "start"], [() => nodeSample("replay-node target", "target"), "target"],
        [() => nodeSample("replay-node current", "plain"), "current node"], [waySample, "way so far"]]
    };
    return picture;
  }

  return { shape, element, between, translate, games: { blocks: blocksPicture, sort: sortPicture, path: pathPicture } };
})();
