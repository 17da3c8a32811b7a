import { expect, it } from 'vitest';
import { type FirstScreen, writeFirstScreen } from './first-screen.ts';

const SCREEN: FirstScreen = {
  urls: {
    demo: 'http://localhost:7400/',
    bench: 'http://localhost:7400/bench',
    proxy: 'http://localhost:7401/',
    platform: 'http://localhost:7402/',
    console: 'http://localhost:7402/console/',
  },
  dataDir: '.natter',
  taken: [7400, 7401, 7402, 7403],
  hasDocs: true,
  isDevelopment: true,
};

it('the first screen fits 80 columns and 15 lines and ends with site, test bench and console', () => {
  const lines = writeFirstScreen(SCREEN).split('\n');
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80);
  expect(lines.length).toBeLessThanOrEqual(15);
  expect(lines.slice(-3)).toEqual([
    '  Demo site      http://localhost:7400/',
    '  Test bench     http://localhost:7400/bench',
    '  Console        http://localhost:7402/console/',
  ]);
});

it('the first screen names ports that are taken, and no others', () => {
  expect(writeFirstScreen(SCREEN)).toContain(
    'Ports 7400, 7401, 7402 and 7403 are in use, so free ones are used instead.',
  );
  expect(writeFirstScreen({ ...SCREEN, taken: [7403] })).toContain(
    'Port 7403 is in use, so a free one is used instead.',
  );
  expect(writeFirstScreen({ ...SCREEN, taken: [] })).not.toContain('taken');
});

it('the first screen says how to ask for the keys of another data folder', () => {
  expect(writeFirstScreen(SCREEN)).toContain('  Keys           npm run keys\n');
  expect(writeFirstScreen({ ...SCREEN, dataDir: 'of/mine' })).toContain('npm run keys -- --data of/mine');
});

it('the first screen has no console beside a platform that runs elsewhere', () => {
  const screen = writeFirstScreen({ ...SCREEN, urls: { ...SCREEN.urls, console: null } });
  expect(screen).not.toContain('Console');
});
