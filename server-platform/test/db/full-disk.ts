// A disk that is full for as long as a file exists: `NATTER_FULL_DISK=FILE node --import full-disk.ts …`. What grows no
// file is written, as on a real one. Holds for the threads of the process as well, so for the embedded engine.
import fs, { existsSync, fstatSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const flag = process.env['NATTER_FULL_DISK'];
if (flag === undefined) throw new Error('full-disk.ts needs NATTER_FULL_DISK');
const write = fs.writeSync;

/** As the engine's file system calls it: with a place to write to. */
function writeIfRoom(
  file: number,
  bytes: NodeJS.ArrayBufferView,
  offset?: number,
  length?: number,
  position?: number | null,
): number {
  const isPlaced = typeof position === 'number' && length !== undefined;
  if (isPlaced && existsSync(flag ?? '') && position + length > fstatSync(file).size) {
    const fields = { code: 'ENOSPC', errno: -28, syscall: 'write' };
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), fields);
  }
  return write(file, bytes, offset, length, position);
}

Object.assign(fs, { writeSync: writeIfRoom });
syncBuiltinESMExports();
