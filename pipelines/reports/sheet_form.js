"use strict";
// Texts are only ever put into the page as text, never as HTML; nothing is sent anywhere.
(() => {
  const {id, rows} = JSON.parse(document.getElementById("rows").textContent);
  const labels = ["supported", "contradicted", "not_addressed", "unsure"];
  const store = "judge-sheet-" + id;
  const at = (name) => document.getElementById(name);
  let work = {place: 0, annotator: "", labels: {}, comments: {}};
  // Whether closing the page would lose something.
  let unsaved = false;

  function load() {
    try {
      const kept = JSON.parse(window.localStorage.getItem(store));
      if (kept && kept.labels && kept.comments) work = {...work, ...kept};
    } catch { at("kept").textContent = "This browser keeps no work: save before you close the page."; }
  }

  function keep() {
    try {
      window.localStorage.setItem(store, JSON.stringify(work));
      at("kept").textContent = "Kept in this browser as you go; save to hand it in.";
    } catch {
      unsaved = true;
      at("kept").textContent = "This browser keeps no work: save before you close the page.";
    }
  }

  function show() {
    work.place = Math.min(Math.max(work.place, 0), rows.length - 1);
    const row = rows[work.place];
    at("question").textContent = row.question || "(none)";
    at("answer").textContent = row.answer || "(the answer is empty)";
    at("proposition").textContent = row.proposition;
    at("comment").value = work.comments[row.row] || "";
    for (const label of labels) at(label).setAttribute("aria-pressed", String(work.labels[row.row] === label));
    const done = rows.filter((each) => work.labels[each.row]).length;
    at("progress").max = rows.length;
    at("progress").value = done;
    at("count").textContent = `statement ${work.place + 1} of ${rows.length}; ${done} labelled`;
  }

  function move(steps) { work.place += steps; show(); }

  function choose(label) {
    work.labels[rows[work.place].row] = label;
    move(1);
    keep();
  }

  // A spreadsheet must run nothing that was typed here.
  function cell(text) {
    const first = [...text].find((each) => /[^\s\p{C}]/u.test(each)) || "";
    const guarded = /^[\t\r\n]/.test(text) || /^[=+\-@\u2212]/.test(first.normalize("NFKC")) ? "'" + text : text;
    return '"' + guarded.replaceAll('"', '""') + '"';
  }

  function csv() {
    const name = at("annotator").value.trim();
    const lines = rows.map(({row}) => [row, work.labels[row] || "", work.comments[row] || "", name].map(cell).join(","));
    return "\ufeff" + ["row,label,comment,annotator", ...lines].join("\r\n") + "\r\n";
  }

  function save() {
    const name = at("annotator").value.trim();
    if (!name) { at("kept").textContent = "Give your name or initials first, so that annotators are told apart."; at("annotator").focus(); return; }
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([csv()], {type: "text/csv"}));
    link.download = `labels-${name.replace(/[^A-Za-z0-9-]+/g, "_")}.csv`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
    unsaved = false;
    at("kept").textContent = `Saved as ${link.download} where this browser puts downloads.`;
  }

  for (const label of labels) at(label).addEventListener("click", () => choose(label));
  at("back").addEventListener("click", () => move(-1));
  at("next").addEventListener("click", () => move(1));
  at("save").addEventListener("click", save);
  at("comment").addEventListener("input", () => { work.comments[rows[work.place].row] = at("comment").value; keep(); });
  at("annotator").addEventListener("input", () => { work.annotator = at("annotator").value; keep(); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input, textarea")) return;
    const chosen = {1: "supported", 2: "contradicted", 3: "not_addressed", 0: "unsure"}[event.key];
    if (chosen) choose(chosen);
    else if (event.key === "ArrowLeft") move(-1);
    else if (event.key === "ArrowRight") move(1);
  });
  window.addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });

  load();
  at("annotator").value = work.annotator;
  at("form").hidden = false;
  show();
})();
