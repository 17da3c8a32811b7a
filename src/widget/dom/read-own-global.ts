/**
 * Returns the global of that name if a script has set it. Elements are globals too, by their ids and names, as in
 * `<a id="Natter">`, but never as properties of the window itself.
 */
export function readOwnGlobal<Name extends keyof Window>(name: Name): Window[Name] | undefined {
  return Object.hasOwn(window, name) ? window[name] : undefined;
}
