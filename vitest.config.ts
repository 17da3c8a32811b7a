import { defineConfig } from 'vitest/config';

const conditions = ['@natter/source'];

export default defineConfig({
  resolve: { conditions: [...conditions, 'module'] },
  ssr: { resolve: { conditions: [...conditions, 'node', 'module'], externalConditions: conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: ['src/{protocol,client}/**/*.test.ts', 'server-*/src/**/*.test.ts', 'test/**/*.test.ts', 'bench/**/*.test.ts', 'demo/**/*.test.ts'],
        },
      },
    ],
  },
});
