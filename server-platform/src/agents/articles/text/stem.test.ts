import { describe, expect, it } from 'vitest';
import { stem } from './stem.ts';

describe('stem', () => {
  it.each([
    ['cancel', 'cancelled', 'cancelling', 'cancellation', 'cancellations'],
    ['refund', 'refunds', 'refunded', 'refundable'],
    ['book', 'books', 'booked', 'booking', 'bookings'],
    ['reserve', 'reserved', 'reservation', 'reservations'],
    ['ferry', 'ferries'],
    ['bicycle', 'bicycles'],
    ['pay', 'paid', 'paying', 'payment', 'payments'],
    ['travel', 'travels', 'travelled', 'travelling'],
    ['stop', 'stopped', 'stopping'],
    ['arrive', 'arrives', 'arriving', 'arrival'],
    ['child', 'children'],
    ['bus', 'buses'],
    ['cheap', 'cheaper', 'cheapest'],
    ['accessible', 'accessibility'],
  ])('gives %s and its forms one key', (...forms) => {
    expect(new Set(forms.map(stem)).size).toBe(1);
  });

  it.each([
    ['cabin', 'cab'],
    ['car', 'care'],
    ['port', 'portion'],
    ['late', 'lat'],
    ['late', 'later'],
    ['late', 'latest'],
    ['fare', 'far'],
    ['ship', 'shop'],
  ])('keeps %s and %s apart', (one, other) => {
    expect(stem(one)).not.toBe(stem(other));
  });

  it('leaves numbers and short words alone', () => {
    expect(['24h', '2026', 'as', 'is'].map(stem)).toEqual(['24h', '2026', 'as', 'is']);
  });
});
