/**
 * The page's document without properties that elements of the page shadow. In a page with `<img name="body">`,
 * `document.body` is that picture (`LegacyOverrideBuiltIns`); this object reads the prototype instead. It reads nothing
 * when it is created, so that a server can import this file.
 */
// biome-ignore-start lint/style/noRestrictedGlobals: this object reads it safely
export const pageDocument: Document = new Proxy({} as Document, {
  get(_, name) {
    const value: unknown = Reflect.get(Object.getPrototypeOf(document), name, document);
    return typeof value === 'function' ? value.bind(document) : value;
  },
});
// biome-ignore-end lint/style/noRestrictedGlobals: as above
