import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CustomerUrls } from './customer-site.ts';

const DOCS = readFileSync(fileURLToPath(new URL('../../docs/security.md', import.meta.url)), 'utf8');

/** The Content Security Policy that docs/security.md prints. */
export const [DOCUMENTED_POLICY = '']: readonly string[] = /^default-src 'none'.*$/m.exec(DOCS) ?? [];

/** Returns this policy for a customer's own addresses. */
export const policyFor = ({ proxy, socket }: CustomerUrls): string =>
  DOCUMENTED_POLICY.replaceAll('https://chat.example.com', proxy).replaceAll(
    'wss://platform.example.com',
    socket,
  );
