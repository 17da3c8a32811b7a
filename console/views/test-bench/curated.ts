const FILES = import.meta.glob<string>('../../../e2e/recordings/*.json', {
  query: '?raw',
  import: 'default',
});

/** The curated recordings: their names, and functions that load their text. */
export const CURATED: Readonly<Record<string, () => Promise<string>>> = Object.fromEntries(
  Object.entries(FILES).map(([path, load]) => [path.slice(path.lastIndexOf('/') + 1, -'.json'.length), load]),
);
