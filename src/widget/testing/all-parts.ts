// Loads the lazy parts up front, for tests of what they render rather than of their loading.
await Promise.all([
  import('../notifications/index.ts'),
  import('../cards/index.ts'),
  import('../markdown/index.ts'),
  import('../ended/index.ts'),
  import('../menu/index.ts'),
  import('../notices/index.ts'),
  import('../history/index.ts'),
  import('../survey/index.ts'),
  import('../tools/index.ts'),
  import('../feedback/index.ts'),
  import('../hours/index.ts'),
  import('../privacy/index.ts'),
  import('../home/index.ts'),
  import('../contact/index.ts'),
]);

export {};
