// Loads the lazy parts up front, for tests of their rendering rather than their loading.
await Promise.all([
  import('../../src/widget/parts/notifications/index.ts'),
  import('../../src/widget/parts/cards/index.ts'),
  import('../../src/widget/markdown/index.ts'),
  import('../../src/widget/parts/ended/index.ts'),
  import('../../src/widget/parts/menu/index.ts'),
  import('../../src/widget/parts/notices/index.ts'),
  import('../../src/widget/parts/history/index.ts'),
  import('../../src/widget/parts/survey/index.ts'),
  import('../../src/widget/parts/tools/index.ts'),
  import('../../src/widget/parts/feedback/index.ts'),
  import('../../src/widget/parts/hours/index.ts'),
  import('../../src/widget/parts/privacy/index.ts'),
  import('../../src/widget/parts/home/index.ts'),
  import('../../src/widget/parts/contact/index.ts'),
]);

export {};
