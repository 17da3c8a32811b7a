// @vitest-environment jsdom
import { testAdapters } from './render-adapters.ts';

testAdapters(/jsdom/);
