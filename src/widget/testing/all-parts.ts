// The late parts, here before they are asked for: for what is to be seen with them, not for how long they take.
await Promise.all([
  import('../notifications/index.ts'),
  import('../cards/index.ts'),
  import('../ended/index.ts'),
  import('../menu/index.ts'),
  import('../notices/index.ts'),
  import('../history/index.ts'),
  import('../survey/index.ts'),
]);

export {};
