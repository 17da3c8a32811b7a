import { expect, it } from 'vitest';
import { defaultVocabulary } from './index.ts';

it.each([
  ['poly.ai', 'poly'],
  ['messaging.poly.ai', 'poly'],
  ['messaging.us-1.poly.ai', 'poly'],
  ['MESSAGING.POLY.AI', 'poly'],
  ['messaging.poly.ai:8443', 'poly'],
  ['notpoly.ai', 'neutral'],
  ['poly.ai.example.com', 'neutral'],
  ['poly.aix', 'neutral'],
  ['polyxai', 'neutral'],
  ['chat.example.com', 'neutral'],
  ['127.0.0.1:8080', 'neutral'],
])('starts at the host %s with the vocabulary %s (V-4)', (host, vocabulary) => {
  expect(defaultVocabulary(host)).toBe(vocabulary);
});
