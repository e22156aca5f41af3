"use strict";
(() => {
  const byId = (id) => document.getElementById(id);
  const { front, marks, legend } = JSON.parse(byId("data").textContent);
  const percent = (rate) => (100 * rate).toFixed(1);
  const interval = ([, low, high], show) => `${show(low)} to ${show(high)}`;

  /** Makes an element with text or children. Names are user input, so text is never markup. */
  function element(tag, content = "", properties = {}) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...(Array.isArray(content) ? content : [content]));
    return made;
  }

  let shown = front.points.findIndex((point) => point.recommended); // the chosen point of the front

  // --- The figure of the front: imbalance against changed cards, with a mark per patch and stage ---

  const PAPER_WIDTH = 680; // pixels: fits on A4 and on Letter paper
  const EDITS_MAX = 8; // edits in a tooltip; chosen by eye: more would cover the figure

  const notesOf = (point, arrow) =>
    point.notes.flatMap(({ name, changes }) =>
      changes.map(([field, from, to]) => `${name}: ${field} ${from} ${arrow} ${to}`),
    );

  /** Returns the tooltip of a mark as markup, with names escaped. */
  function tooltip(point, stage) {
    const distance = point.imbalance[stage];
    const pp = `${distance[0].toFixed(1)} pp (${interval(distance, (pp) => pp.toFixed(1))})`;
    const notes = notesOf(point, "→");
    const lines = [
      `${stage}: ${pp}, n = ${point.stages[stage].n.toLocaleString("en")}`,
      point.changed,
      ...notes.slice(0, EDITS_MAX),
    ];
    if (notes.length > EDITS_MAX) lines.push(`and ${notes.length - EDITS_MAX} more`);
    return lines.map((line) => element("i", line).innerHTML).join("<br>");
  }

  /** Returns a plotly.js trace of some points in a stage, with intervals unless the stage is the claim. */
  function trace(name, stage, numbers, symbol, color, size) {
    const points = numbers.map((k) => front.points[k]);
    const y = points.map((point) => point.imbalance[stage][0]);
    const aside = stage === "certified" ? 1 : 0; // the column to the left is left free for it
    return {
      name,
      x: numbers.map((k) => front.places[k] - aside),
      y,
      error_y: {
        visible: stage !== "claimed", type: "data", symmetric: false, thickness: 1, width: 0, color,
        array: points.map((point, at) => point.imbalance[stage][2] - y[at]),
        arrayminus: points.map((point, at) => y[at] - point.imbalance[stage][1]),
      },
      mode: "markers",
      marker: { symbol, color, size, opacity: 1, line: { width: symbol.endsWith("open") ? 1.6 : 0.8 } },
      customdata: numbers,
      text: points.map((point) => tooltip(point, stage)),
      hovertemplate: "%{text}<extra></extra>",
    };
  }

  /** Draws the figure, `width` pixels wide or as wide as its container. */
  function draw(width) {
    const style = getComputedStyle(document.documentElement); // follows the colour scheme
    const colour = (name) => style.getPropertyValue(`--${name}`).trim();
    const { points, places, groups, axis: unit, band_pp, today_pp } = front;
    const numbers = points.map((_, k) => k);
    const withRoom = (has) => numbers.filter((k) => points[k].has_room === has);
    const best = numbers.filter((k) => points[k].recommended);
    const heightOf = (k, name) => points[k].imbalance[name][0];
    const traces = [
      {
        x: numbers.flatMap((k) => [places[k], places[k], null]),
        y: numbers.flatMap((k) => [heightOf(k, "claimed"), heightOf(k, "selected"), null]),
        mode: "lines", line: { color: colour("orange"), width: 1 }, hoverinfo: "skip", showlegend: false,
      },
      trace("claimed by the search", "claimed", numbers, "circle", colour("orange"), 7),
      trace("selected, with room to spare", "selected", withRoom(true), "square", colour("blue"), 10),
      trace("selected, no room to spare", "selected", withRoom(false), "square-open", colour("blue"), 10),
      front.is_certified
        ? trace("certified", "certified", best, "star", colour("green"), 15)
        : trace("played for a certificate, not certified", "certified", best, "x", colour("vermilion"), 15),
      {
        name: "shown below", x: [places[shown]], y: [heightOf(shown, "selected")],
        mode: "markers", hoverinfo: "skip",
        marker: { symbol: "circle-open", size: 24, color: colour("ink"), line: { width: 2 } },
      },
    ];
    const line = (place, look) => ({ type: "line", layer: "below", ...place, line: look });
    const across = { xref: "paper", x0: 0, x1: 1, showlegend: true };
    const shapes = [
      {
        ...across, name: `band, ${band_pp} pp`, type: "rect", layer: "below", y0: 0, y1: band_pp,
        fillcolor: colour("band"), line: { width: 0 },
      },
      line(
        { ...across, name: "today", y0: today_pp, y1: today_pp },
        { color: colour("muted"), width: 1.2, dash: "dash" },
      ),
      ...groups.slice(0, -1).map(({ border }) =>
        line(
          { yref: "paper", x0: border, x1: border, y0: 0, y1: 1 },
          { color: colour("rule"), width: 1, dash: "dot" },
        ),
      ),
    ];
    const tops = points.flatMap((point) => Object.values(point.imbalance).map(([, , high]) => high));
    const highest = Math.max(today_pp, band_pp, ...tops);
    const axis = {
      gridcolor: colour("rule"), linecolor: colour("muted"), tickcolor: colour("muted"),
      ticks: "outside", zeroline: false, automargin: true, fixedrange: true,
    };
    const layout = {
      width, autosize: !width, shapes, dragmode: false, hovermode: "closest",
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", margin: { l: 12, r: 8, t: 8, b: 12 },
      font: { color: colour("ink"), size: 13, family: "system-ui, sans-serif" },
      hoverlabel: { align: "left", bgcolor: colour("card"), bordercolor: colour("muted"), font: { color: colour("ink") } },
      legend: { orientation: "h", x: 0, y: 1.02, yanchor: "bottom", itemclick: false, itemdoubleclick: false },
      xaxis: {
        ...axis, title: { text: `${unit}, not to scale`, standoff: 8 },
        showgrid: false, range: [0, groups.at(-1).border],
        tickvals: groups.map(({ middle }) => middle), ticktext: groups.map(({ label }) => label),
      },
      yaxis: {
        ...axis, title: { text: "imbalance (pp)", standoff: 8 }, range: [-0.03 * highest, 1.05 * highest],
      },
    };
    Plotly.react(byId("front-figure"), traces, layout, { displayModeBar: false, responsive: true });
  }

  // --- One point of the front is shown at a time, chosen by pointer, list or keys ---

  const STAGES = [
    ["selected", "the selection"],
    ["claimed", "the search"],
    ["certified", "the certificate"],
    ["today", "today's cards"],
  ];
  const list = byId("points");
  let stage = "selected";

  function fillList() {
    front.points.forEach((point, k) => {
      const pp = point.imbalance.selected[0].toFixed(1);
      const mark = point.recommended ? `, ${front.is_certified ? "recommended" : "tried"}` : "";
      list.append(element("option", `${k + 1}. ${point.changed}: ${pp} pp${mark}`, { value: k }));
    });
    list.addEventListener("change", () => show(Number(list.value)));
    byId("previous").addEventListener("click", () => show(shown - 1));
    byId("next").addEventListener("click", () => show(shown + 1));
  }

  function show(k) {
    shown = k;
    const point = front.points[k];
    list.value = k;
    byId("previous").disabled = k === 0;
    byId("next").disabled = k === front.points.length - 1;
    draw();
    byId("point-title").textContent = `Patch ${k + 1} of ${front.points.length}: ${point.changed}`;
    showFlags(point);
    showNotes(point);
    showNumbers(point);
    showStages(point);
    showMatrix(point);
  }

  function showFlags(point) {
    const flags = [
      point.recommended &&
        (front.is_certified ? ["recommended", "good"] : ["tried, not certified", "bad"]),
      point.on_front && ["on the front", ""],
      point.has_room && ["room to spare", "good"],
      !point.has_room && ["no room to spare", ""],
      !point.guards_hold && ["a guard has no room to spare", "bad"],
    ].filter(Boolean);
    byId("point-flags").replaceChildren(
      ...flags.map(([text, className]) => element("li", text, { className })),
    );
  }

  function showNotes(point) {
    const lines = point.notes.map(({ name, changes }) => {
      const edits = changes.flatMap(([field, from, to]) => [
        element("span", `${field} ${from} → ${to}`, { className: "edit" }),
        " ",
      ]);
      return element("p", [element("b", name), " ", ...edits], { className: "note" });
    });
    const nothing = element("p", "No changes: today's cards.");
    byId("point-notes").replaceChildren(...(lines.length ? lines : [nothing]));
    byId("point-copy").dataset.copy = notesOf(point, "->").join("\n") + "\n";
    byId("point-copy").hidden = lines.length === 0;
  }

  function showNumbers(point) {
    const names = { claimed: "claimed", selected: "selected", certified: "in the certificate" };
    if (front.is_certified) names.certified = "certified";
    const there = Object.keys(names).filter((name) => name in point.imbalance);
    const rows = there.map((name) => {
      const distance = point.imbalance[name];
      return element("tr", [
        element("th", names[name], { scope: "row" }),
        element("td", [
          element("b", distance[0].toFixed(1)),
          element("small", interval(distance, (pp) => pp.toFixed(1))),
        ]),
        element("td", element("small", `n = ${point.stages[name].n.toLocaleString("en")}`)),
      ]);
    });
    byId("point-numbers").tBodies[0].replaceChildren(...rows);
  }

  const stagesOf = (point) => ({ ...point.stages, today: front.today });

  /** Shows a radio button for each stage in which this patch was evaluated. */
  function showStages(point) {
    const there = stagesOf(point);
    if (!(stage in there)) stage = "selected";
    const choices = STAGES.filter(([name]) => name in there).map(([name, text]) => {
      const radio = { type: "radio", name: "stage", value: name, checked: name === stage };
      const input = element("input", "", radio);
      input.addEventListener("change", () => {
        stage = name;
        showMatrix(point);
      });
      return element("label", [input, ` ${text}`]);
    });
    byId("stages").replaceChildren(byId("stages").firstElementChild, ...choices);
  }

  function showMatrix(point) {
    const { rates, verdicts, n, confidence } = stagesOf(point)[stage];
    const cells = front.players.map(() => []);
    const others = [];
    front.matchups.forEach(([a, b, least, most], m) => {
      const [rate, low, high] = rates[m];
      if (!Number.isInteger(a)) {
        const head = element("th", b ? `${a} vs ${b}` : a, { scope: "row" });
        others.push(element("tr", [head, matrixCell([rate, low, high], least, most, verdicts[m])]));
        return;
      }
      cells[a][b] = matrixCell([rate, low, high], least, most, verdicts[m]);
      const turned = [1 - rate, 1 - high, 1 - low];
      cells[b][a] = matrixCell(turned, 1 - most, 1 - least, verdicts[m]);
    });
    const head = front.players.map((name) => element("th", name, { scope: "col" }));
    const rows = front.players.map((name, a) =>
      element("tr", [
        element("th", name, { scope: "row" }),
        ...front.players.map((_, b) =>
          a === b ? element("td", "mirror", { className: "mirror" }) : cells[a][b],
        ),
      ]),
    );
    byId("matrix").replaceChildren(
      element("thead", element("tr", [element("td"), ...head])),
      element("tbody", [...rows, ...others]),
    );
    const level = Number((100 * confidence).toFixed(2));
    const how = ["today", "certified"].includes(stage)
      ? "interval over seeds, as in the verdict"
      : "Wilson interval, 95 % for all matchups together";
    byId("matrix-caption").textContent =
      `Win rate of the row's player in %, with its ${level} % ${how}; ` +
      `n = ${n.toLocaleString("en")} games per matchup. ${legend}.`;
  }

  /** Makes a cell with a win rate, coloured by the distance from 50 %: blue above, orange below. */
  function matrixCell(rate, least, most, verdict) {
    const content = [element("b", percent(rate[0])), element("small", interval(rate, percent))];
    if (Math.abs(least + most - 1) > 1e-9) {
      content.push(element("small", `wanted ${percent(least)} to ${percent(most)}`));
    }
    if (marks[verdict]) content.push(element("small", marks[verdict]));
    const cell = element("td", content);
    cell.dataset.state = verdict;
    const strength = Math.min(Math.abs(rate[0] - 0.5) / 0.25, 1) * 0.45 + 0.04;
    cell.style.background = `rgba(var(${rate[0] < 0.5 ? "--low" : "--high"}), ${strength.toFixed(3)})`;
    return cell;
  }

  // --- Tables that sort by any column, and the filter by deck ---

  function makeSortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = head.querySelector("button");
      button.addEventListener("click", () => {
        const isText = button.dataset.type === "text";
        const first = isText ? "ascending" : "descending";
        const other = isText ? "descending" : "ascending";
        const order = head.getAttribute("aria-sort") === first ? other : first;
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", order);
        const body = table.tBodies[0];
        body.append(...sorted([...body.rows], column, isText, order === "ascending" ? 1 : -1));
      });
    });
  }

  /** Sorts rows by a column; rows without a value stay last, rows of equal value keep their order. */
  function sorted(rows, column, isText, sign) {
    const valueOf = (row) => row.cells[column].dataset.sort;
    return rows.sort((first, second) => {
      const [a, b] = [valueOf(first), valueOf(second)];
      if (a === "" || b === "") return (a === "") - (b === "");
      return sign * (isText ? a.localeCompare(b, "en") : a - b);
    });
  }

  function filterByDeck(select, table) {
    select.addEventListener("change", () => {
      for (const row of table.tBodies[0].rows) {
        row.hidden = select.value !== "" && row.dataset.player !== select.value;
      }
    });
  }

  // --- Copying, which a page from disk may have to do without the clipboard API ---

  async function copy(button) {
    const text = button.dataset.copy;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = element("textarea", text);
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    const label = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = label), 1500);
  }

  // --- Wide tables scroll in a box of their own, with faded edges where they continue ---

  function markEdges(box) {
    const beyond = box.scrollWidth - box.clientWidth;
    box.classList.toggle("more-left", box.scrollLeft > 1);
    box.classList.toggle("more-right", box.scrollLeft < beyond - 1);
    if (beyond > 1) box.tabIndex = 0; // the arrow keys scroll it
    else box.removeAttribute("tabindex");
  }

  function watchEdges(box) {
    const watcher = new ResizeObserver(() => markEdges(box));
    watcher.observe(box);
    watcher.observe(box.firstElementChild);
    box.addEventListener("scroll", () => markEdges(box), { passive: true });
  }

  fillList();
  show(shown);
  byId("front-figure").on("plotly_click", ({ points }) => {
    const clicked = points.find(({ customdata }) => customdata !== undefined);
    if (clicked) show(clicked.customdata);
  });
  document.querySelectorAll(".sortable").forEach(makeSortable);
  document.querySelectorAll(".scroll").forEach(watchEdges);
  if (byId("deck")) filterByDeck(byId("deck"), byId("power-table"));
  document
    .querySelectorAll(".copy")
    .forEach((button) => button.addEventListener("click", () => copy(button)));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => draw());
  addEventListener("beforeprint", () => {
    document.documentElement.dataset.print = ""; // paper is white, whatever the scheme
    draw(PAPER_WIDTH);
  });
  addEventListener("afterprint", () => {
    delete document.documentElement.dataset.print;
    draw();
  });
})();
