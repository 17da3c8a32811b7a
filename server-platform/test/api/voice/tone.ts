/** A WAV file with a tone, as long as asked for. */
export function createTone(durationMs: number): Uint8Array<ArrayBuffer> {
  const rate = 8_000;
  const samples = Math.round((rate * durationMs) / 1000);
  const bytes = Buffer.alloc(44 + samples * 2);
  bytes.write('RIFF', 0, 'latin1');
  bytes.writeUInt32LE(36 + samples * 2, 4);
  bytes.write('WAVEfmt ', 8, 'latin1');
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * 2, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36, 'latin1');
  bytes.writeUInt32LE(samples * 2, 40);
  for (let nr = 0; nr < samples; nr += 1)
    bytes.writeInt16LE(Math.round(8_000 * Math.sin((nr * 440 * 2 * Math.PI) / rate)), 44 + nr * 2);
  return new Uint8Array(bytes);
}
