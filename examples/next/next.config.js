import { fileURLToPath } from 'node:url';

/** @type {import('next').NextConfig} */
const config = {
  // The package is a workspace here; an app that installed it needs none of this.
  turbopack: { root: fileURLToPath(new URL('../..', import.meta.url)) },
};

export default config;
