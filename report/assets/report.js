"use strict";
/* Charts: a rule follows the pointer or the arrow keys, and a box tells the numbers there. */
(() => {
  /* Rounded down, so that 100 % is 1 itself; with digits enough to show what is missing from it. */
  const percent = (value) => {
    if (value >= 1) return "100 %";
    let digits = 2;
    while (digits < 10 && 100 * (1 - value) < 10 ** -digits) digits++;
    const units = Math.floor(100 * 10 ** digits * value * (1 + 4 * Number.EPSILON));
    return +(Math.min(units, 100 * 10 ** digits - 1) / 10 ** digits).toFixed(digits) + " %";
  };
  const number = (value, share) => {
    if (value === null) return "\u2013";
    if (share) return percent(value);
    return Math.abs(value) >= 1e-3 || value === 0 ? String(+value.toPrecision(4)) : value.toExponential(2);
  };
  const make = (parent, name, className) => {
    const made = document.createElement(name);
    made.className = className;
    parent.append(made);
    return made;
  };
  const chart = (plot) => {
    const data = JSON.parse(plot.querySelector("script").textContent);
    const svg = plot.querySelector("svg");
    const rule = document.createElementNS("http://www.w3.org/2000/svg", "line");
    rule.setAttribute("class", "rule");
    rule.setAttribute("y1", data.top);
    rule.setAttribute("y2", data.bottom);
    svg.append(rule);
    const box = make(plot, "div", "box");
    box.setAttribute("aria-live", "polite");
    let at = -1;
    const place = (x) => data.left + (x - data.from) / (data.to - data.from) * (data.right - data.left);
    const show = (index) => {
      at = Math.max(0, Math.min(data.x.length - 1, index));
      const x = place(data.x[at]), width = svg.viewBox.baseVal.width;
      rule.setAttribute("x1", x);
      rule.setAttribute("x2", x);
      box.textContent = "";
      make(box, "strong", "").textContent = Math.round(data.x[at]).toLocaleString("en") + " " + data.across;
      for (const line of data.lines)
        make(box, "div", "").textContent = line.name + ": " + number(line.y[at], data.share);
      plot.classList.add("on");
      const share = x / width;
      box.style.left = share < 0.5 ? 100 * share + 2 + "%" : "auto";
      box.style.right = share < 0.5 ? "auto" : 100 - 100 * share + 2 + "%";
    };
    const hide = () => plot.classList.remove("on");
    const follow = (event) => {
      const frame = svg.getBoundingClientRect();
      const x = (event.clientX - frame.left) / frame.width * svg.viewBox.baseVal.width;
      let nearest = 0;
      data.x.forEach((value, i) => {
        if (Math.abs(place(value) - x) < Math.abs(place(data.x[nearest]) - x)) nearest = i;
      });
      show(nearest);
    };
    plot.addEventListener("pointermove", follow);
    plot.addEventListener("pointerdown", follow);
    plot.addEventListener("pointerleave", hide);
    plot.addEventListener("focus", () => { if (plot.matches(":focus-visible")) show(at < 0 ? data.x.length - 1 : at); });
    plot.addEventListener("blur", hide);
    plot.addEventListener("keydown", (event) => {
      const last = data.x.length - 1, far = Math.max(1, Math.round(last / 10));
      const to = {ArrowLeft: at - 1, ArrowRight: at + 1, PageUp: at + far, PageDown: at - far, Home: 0, End: last,
        ArrowDown: at - far, ArrowUp: at + far}[event.key];
      if (event.key === "Escape") hide();
      if (to === undefined) return;
      event.preventDefault();
      show(to);
    });
  };
  /* Charts far down the page get ready when they are first looked at. */
  for (const plot of document.querySelectorAll(".plot")) {
    plot.tabIndex = 0;
    plot.setAttribute("aria-label", plot.getAttribute("aria-label") + "; arrow keys show the numbers");
    const begin = (event) => {
      if (plot.dataset.ready) return;
      plot.dataset.ready = "1";
      chart(plot);
      plot.dispatchEvent(new event.constructor(event.type, event));
    };
    for (const kind of ["pointermove", "pointerdown", "focus"]) plot.addEventListener(kind, begin, {once: true});
  }
  document.getElementById("legend")?.append(" The pointer, or the arrow keys, show the numbers.");
})();
/* Conclusions: a line tells about the cell under the pointer, or the one that the arrow keys went to; a click or
   Enter unfolds its derivation. */
(() => {
  const unfold = (id) => {
    const tree = document.getElementById(id);
    if (!tree) return;
    for (let at = tree.closest("details"); at; at = at.parentElement.closest("details")) at.open = true;
    tree.scrollIntoView({block: "nearest"});
  };
  for (const link of document.querySelectorAll('.matrix a[href^="#why-"]'))
    link.addEventListener("click", () => unfold(link.getAttribute("href").slice(1)));
  const truths = {"+": "yes", "o": "yes", ".": "no", "x": "no", "?": "unknown", "!": "unknown"};
  const matrix = (root) => {
    const data = JSON.parse(root.querySelector("script").textContent);
    const svg = root.querySelector("svg");
    const mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    mark.setAttribute("class", "mark");
    mark.setAttribute("width", data.cell);
    mark.setAttribute("height", data.cell);
    const line = document.createElement("p");
    line.className = "reading";
    line.setAttribute("aria-live", "polite");
    line.textContent = "Point at a cell, or use the arrow keys." +
      (root.dataset.why ? " A click, or Enter, shows the derivation of a conclusion." : "");
    root.parentElement.after(line);
    let row = 0, column = 0;
    const show = (r, c) => {
      row = Math.max(0, Math.min(data.rows - 1, r));
      column = Math.max(0, Math.min(data.columns - 1, c));
      const cell = row * data.columns + column, kind = data.kinds[cell];
      const objects = data.rows > 1 ? [data.names[row], data.names[column]] : [data.names[column]];
      const fact = data.predicate + "(" + objects.join(", ") + ")";
      const hundredths = +data.hundredths.slice(2 * cell, 2 * cell + 2);
      line.textContent = kind === "-" ? fact + ": not defined for the same object twice"
        : fact + ": truth " + truths[kind] + ", concluded " +
          ("+x!".includes(kind) ? "yes" : "no") + ", " +
          (hundredths === 99 ? "0.99 or more" : (hundredths / 100).toFixed(2));
      svg.append(mark);
      mark.setAttribute("x", data.left + column * data.cell);
      mark.setAttribute("y", data.top + row * data.cell);
    };
    const follow = (event) => {
      const frame = svg.getBoundingClientRect(), scale = svg.viewBox.baseVal.width / frame.width;
      const c = Math.floor(((event.clientX - frame.left) * scale - data.left) / data.cell);
      const r = Math.floor(((event.clientY - frame.top) * scale - data.top) / data.cell);
      if (r >= 0 && c >= 0 && r < data.rows && c < data.columns) show(r, c);
    };
    const explain = () => root.dataset.why && unfold(root.dataset.why + (row * data.columns + column));
    svg.addEventListener("pointermove", follow);
    svg.addEventListener("pointerdown", follow);
    svg.addEventListener("click", (event) => {
      follow(event);
      explain();
    });
    root.parentElement.addEventListener("keydown", (event) => {
      if (event.key === "Enter") explain();
      const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
      if (!step) return;
      event.preventDefault();
      show(row + step[0], column + step[1]);
      mark.scrollIntoView({block: "nearest", inline: "nearest"});
    });
  };
  for (const root of document.querySelectorAll(".matrix")) if (root.querySelector("script")) matrix(root);
})();
/* Tables: a heading sorts; again, the other way round. */
(() => {
  const key = (row, column) => {
    const cell = row.cells[column], value = cell.dataset.key;
    return value === undefined ? cell.textContent : +value;
  };
  const compare = (a, b) => {
    if (typeof a === typeof b) return typeof a === "number" ? a - b : a.localeCompare(b);
    return typeof a === "number" ? -1 : 1;
  };
  for (const table of document.querySelectorAll("table.sortable")) {
    const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
    const sort = (head, column) => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows].map((row) => [key(row, column), row]);
      rows.sort((a, b) => down ? compare(b[0], a[0]) : compare(a[0], b[0]));
      body.append(...rows.map((pair) => pair[1]));
    };
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(head, column));
      head.append(button);
    });
    table.closest("section").querySelector(".dim").append(" Click a heading to sort.");
  }
})();
