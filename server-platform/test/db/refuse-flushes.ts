// A disk that refuses flushes for as long as a file exists: `NATTER_REFUSE_FLUSHES=FILE node --import refuse-flushes.ts …`.
// Holds for the threads of the process as well, so for the embedded engine.
import fs, { existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const flag = process.env['NATTER_REFUSE_FLUSHES'];
if (flag === undefined) throw new Error('refuse-flushes.ts needs NATTER_REFUSE_FLUSHES');
const flush = fs.fsyncSync;

function flushIfAllowed(file: number): void {
  if (existsSync(flag ?? '')) {
    throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', errno: -5, syscall: 'fsync' });
  }
  flush(file);
}

Object.assign(fs, { fsyncSync: flushIfAllowed });
syncBuiltinESMExports();
