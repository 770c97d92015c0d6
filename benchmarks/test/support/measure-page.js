// @ts-nocheck: runs in the browser, whose globals nothing else here has.
// What the page looks like once it is laid out.
(() => {
  const isShown = (element) => element.getBoundingClientRect().width > 0;
  const charts = [...document.querySelectorAll(".chart")].map((chart) => {
    const drawings = [...chart.querySelectorAll(".wide svg, .narrow svg")].filter(isShown);
    const box = drawings[0]?.getBoundingClientRect();
    const marks = [...(drawings[0]?.querySelectorAll(".mark") ?? [])];
    return {
      id: chart.id,
      drawings: drawings.length,
      width: box?.width ?? 0,
      height: box?.height ?? 0,
      marks: marks.filter((mark) => mark.getBoundingClientRect().height > 0).length,
      titles: marks.filter((mark) => mark.textContent !== "").length,
      colors: new Set(marks.map((mark) => getComputedStyle(mark).fill)).size,
      legend: chart.querySelectorAll(".legend li").length,
    };
  });
  return {
    charts,
    overflow: document.documentElement.scrollWidth - window.innerWidth,
    tables: document.querySelectorAll("table").length,
    ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
    ground: getComputedStyle(document.body).backgroundColor,
    ink: getComputedStyle(document.body).color,
  };
})();
