/** The one element of the page that a selector finds. Throws where there is none of that kind. */
export function find<Found extends Element>(selector: string, kind: new () => Found): Found {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}.`);
  return found;
}
