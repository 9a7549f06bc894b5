function beeFilter(box) {
  const wanted = box.value.toLowerCase().split(/\s+/);
  const rows = box.closest(".bee-table").querySelectorAll("tbody tr");
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !wanted.every(part => text.includes(part));
    shown += !row.hidden;
  }
  box.nextElementSibling.textContent = " " + shown + " of " + rows.length + " rows";
}
function beeSort(button) {
  const head = button.parentNode, at = head.cellIndex, body = head.closest("table").tBodies[0];
  const up = head.getAttribute("aria-sort") !== "ascending";
  for (const other of head.parentNode.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const text = row => row.cells[at].textContent;
  const number = row => parseFloat(text(row).replace(/,/g, "")) || 0;
  const order = head.className === "number"
    ? (a, b) => number(a) - number(b) : (a, b) => text(a).localeCompare(text(b), "en");
  body.append(...[...body.rows].sort((a, b) => up ? order(a, b) : order(b, a)));
}
