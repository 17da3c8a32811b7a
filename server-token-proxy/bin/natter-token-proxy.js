#!/usr/bin/env node
// An old Node reads this file too, to say which version is needed: no syntax that came after 2020, no static imports.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  process.stderr.write(
    `natter-token-proxy needs Node 22.18 or later, and this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  start();
}

/**
 * In a clone of the repository the sources run as they are; the installed package has no sources. The compiled code is kept
 * in the system's folder for temporary files, so that the next start is shorter; where that cannot be written, nothing is kept.
 */
async function start() {
  const { enableCompileCache, registerHooks } = await import('node:module');
  enableCompileCache();
  const sources = new URL('../src/cli.ts', import.meta.url);
  const { existsSync } = await import('node:fs');
  if (existsSync(sources)) {
    const conditions = ['@natter/source'];
    registerHooks({
      resolve: (specifier, context, next) =>
        next(specifier, { ...context, conditions: [...conditions, ...context.conditions] }),
    });
    await import(sources.href);
  } else {
    await import('../dist/program/cli.js');
  }
}
