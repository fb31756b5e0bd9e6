/** A script for a page: lists its visible texts whose contrast with their ground is below 4.5 (WCAG 2.2, 1.4.3). */
export const faintTexts: string = String.raw`
(() => {
  const channels = (colour) => (colour.match(/[\d.]+/gu) ?? []).map(Number);
  const luminance = (colour) => {
    const [red, green, blue] = channels(colour).map((channel) => {
      const share = channel / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (channels(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return "rgb(255, 255, 255)";
  };
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
  return [...document.body.querySelectorAll("*")]
    .filter((element) => hasText(element) && element.checkVisibility())
    .map((element) => {
      const colours = [getComputedStyle(element).color, groundOf(element)];
      const shades = colours.map((colour) => luminance(colour) + 0.05);
      return { text: element.textContent, contrast: Math.max(...shades) / Math.min(...shades) };
    })
    .filter(({ contrast }) => contrast < 4.5);
})()
`;
