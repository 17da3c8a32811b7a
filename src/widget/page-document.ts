/**
 * The page's document by the properties of the browser. Elements shadow the properties of `document` by their names
 * (`LegacyOverrideBuiltIns`): in a page with `<img name="body">`, `document.body` is that picture. Reads from the
 * prototype skip them. Nothing is read before a property is asked for, so that a server can import this file.
 */
// biome-ignore-start lint/style/noRestrictedGlobals: here it is read past what shadows it
export const pageDocument: Document = new Proxy({} as Document, {
  get(_, name) {
    const value: unknown = Reflect.get(Object.getPrototypeOf(document), name, document);
    return typeof value === 'function' ? value.bind(document) : value;
  },
});
// biome-ignore-end lint/style/noRestrictedGlobals: as above
