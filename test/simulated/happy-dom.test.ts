// @vitest-environment happy-dom
import { testAdapters } from './render-adapters.ts';

testAdapters(/HappyDOM/);
