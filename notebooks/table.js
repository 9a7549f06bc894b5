function beeFilter(input) {
  const parts = input.value.toLowerCase().split(/\s+/);
  const rows = input.closest(".bee-table").querySelectorAll("tbody tr");
  let shown = 0;
  for (const row of rows) {
    const text = row.textContent.toLowerCase();
    row.hidden = !parts.every(part => text.includes(part));
    shown += !row.hidden;
  }
  input.nextElementSibling.textContent = " " + shown + " of " + rows.length + " rows";
}
function beeSort(button) {
  const header = button.parentNode;
  const column = header.cellIndex;
  const body = header.closest("table").tBodies[0];
  const ascending = header.getAttribute("aria-sort") !== "ascending";
  for (const sibling of header.parentNode.children) sibling.removeAttribute("aria-sort");
  header.setAttribute("aria-sort", ascending ? "ascending" : "descending");
  const text = row => row.cells[column].textContent;
  const number = row => parseFloat(text(row).replace(/,/g, "")) || 0;
  const compare = header.className === "number"
    ? (a, b) => number(a) - number(b)
    : (a, b) => text(a).localeCompare(text(b), "en");
  body.append(...[...body.rows].sort((a, b) => ascending ? compare(a, b) : compare(b, a)));
}
