import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeStorage } from '../../../test/db/describe-storage.ts';
import type { TestDatabase } from '../../../test/db/engines.ts';
import { acceptCall, reserveNumber, setNumberPool } from './number-pool.ts';

const NOW = 1_700_000_000_000;
const [ONE, TWO, THREE] = ['+441632960001', '+441632960002', '+441632960003'];

describeStorage('a pool of numbers', ({ open }) => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await open();
  });
  afterAll(() => place.close());
  beforeEach(async () => {
    await place.database.query('DELETE FROM phone_numbers');
    await setNumberPool(place.database, 'PROJECT-1', [ONE, TWO]);
  });

  const reserve = (attributes = {}, nowMs = NOW, projectId = 'PROJECT-1') =>
    reserveNumber(place.database, projectId, attributes, { nowMs, forSeconds: 900 });
  const call = (number: string, nowMs = NOW) => acceptCall(place.database, number, nowMs);

  it('reserves each number once, until none is left (DN-2, DN-3)', async () => {
    expect(new Set([await reserve(), await reserve()])).toEqual(new Set([ONE, TWO]));
    expect(await reserve()).toBeNull();
  });

  it('reserves no number twice for concurrent callers (DN-2)', async () => {
    const numbers = Array.from({ length: 20 }, (_, nr) => `+44163296${String(nr).padStart(4, '0')}`);
    await setNumberPool(place.database, 'PROJECT-1', numbers);
    const given = await Promise.all(numbers.map(() => reserve()));
    expect(new Set(given)).toEqual(new Set(numbers));
  });

  it('gives the reserved attributes to the first call only (DN-2, DN-4)', async () => {
    const attributes = { shared_id: '1234', customer: { age: 25 }, odd: 'a\u0000b' };
    expect(await reserve(attributes)).toBe(ONE);
    expect(await call(ONE, NOW + 899_999)).toEqual({ projectId: 'PROJECT-1', attributes });
    expect(await call(ONE, NOW + 899_999)).toEqual({ projectId: 'PROJECT-1', attributes: null });
  });

  it('frees a number with the end of its call, and reserves the one that was free for longest (DN-2)', async () => {
    await reserve();
    await call(ONE);
    expect(await reserve({}, NOW + 1)).toBe(TWO);
    expect(await reserve({}, NOW + 1)).toBe(ONE);
  });

  it('frees a number with its attributes when its reservation expires (DN-2)', async () => {
    await reserve({ first: true });
    await reserve();
    expect(await reserve({}, NOW + 899_999)).toBeNull();
    expect(await call(ONE, NOW + 900_000)).toEqual({ projectId: 'PROJECT-1', attributes: null });
    expect(await reserve({}, NOW + 900_000)).not.toBeNull();
  });

  it("reserves numbers of one project's pool (DN-2)", async () => {
    expect(await reserve({}, NOW, 'PROJECT-2')).toBeNull();
    const taken = setNumberPool(place.database, 'PROJECT-2', [THREE, TWO]);
    await expect(taken).rejects.toThrow(`The number ${TWO} is in the pool of another project.`);
    expect(await call('+15550000')).toBeNull();
  });

  it('replaces a number pool without affecting reservations of the remaining numbers', async () => {
    await reserve({ kept: true });
    await setNumberPool(place.database, 'PROJECT-1', [ONE, ONE, THREE]);
    expect(await call(TWO)).toBeNull();
    expect((await call(ONE))?.attributes).toEqual({ kept: true });
  });
});
