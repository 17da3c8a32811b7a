import { afterAll } from 'vitest';
import { closeLentDatabases } from '../server-platform/src/db/testing/lend-databases.ts';

afterAll(closeLentDatabases);
