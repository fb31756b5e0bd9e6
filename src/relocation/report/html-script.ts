/** Filter, sorting and the open-all button of the HTML report. */
export const pageScript = `
(() => {
  const byId = (id) => document.getElementById(id);
  const list = byId("charts");
  const charts = [...list.children].map((item, rank) => ({
    item,
    rank,
    name: item.dataset.name,
    images: Number(item.dataset.images),
    problem: item.dataset.problem === "yes",
    text: item.textContent.toLowerCase(),
  }));
  const orders = {
    worst: (a, b) => a.rank - b.rank,
    name: (a, b) => a.name.localeCompare(b.name, "en") || a.rank - b.rank,
    images: (a, b) => b.images - a.images || a.rank - b.rank,
  };
  const filter = () => {
    const words = byId("filter").value.toLowerCase().split(" ").filter(Boolean);
    const problems = byId("problems").checked;
    list.classList.toggle("only-problems", problems);
    let shown = 0;
    for (const chart of charts) {
      const fits = (!problems || chart.problem) && words.every((word) => chart.text.includes(word));
      chart.item.hidden = !fits;
      if (fits) shown += 1;
    }
    byId("shown").value =
      (shown === charts.length ? "" : shown.toLocaleString("en") + " of ") +
      charts.length.toLocaleString("en") + (charts.length === 1 ? " chart" : " charts");
    byId("empty").hidden = shown > 0;
  };
  const sort = () => list.append(...charts.toSorted(orders[byId("sort").value]).map((chart) => chart.item));
  byId("filter").addEventListener("input", filter);
  byId("problems").addEventListener("change", filter);
  byId("sort").addEventListener("change", sort);
  byId("open").addEventListener("click", (event) => {
    const open = event.currentTarget.getAttribute("aria-pressed") !== "true";
    event.currentTarget.setAttribute("aria-pressed", String(open));
    event.currentTarget.textContent = open ? "Close all" : "Open all";
    for (const chart of charts) if (!chart.item.hidden) chart.item.firstElementChild.open = open;
  });
  byId("toolbar").addEventListener("submit", (event) => event.preventDefault());
  byId("toolbar").hidden = charts.length < 2;
  filter();
  sort();
})();
`;
