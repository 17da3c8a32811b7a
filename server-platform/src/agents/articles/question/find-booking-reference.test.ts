import { expect, it } from 'vitest';
import { findBookingReference, withoutBookingReference } from './find-booking-reference.ts';

it.each([
  ['what time is my ticket for? ref KWB2T4', 'what time is my ticket for? '],
  ['my booking reference is KW7F2Q, is the dog on it', 'booking , is the dog on it'],
  ['cancel booking KW8Z1A please', 'cancel booking   please'],
])('takes the reference out of "%s"', (text, rest) => {
  const reference = findBookingReference(text) ?? '';
  expect(reference).not.toBe('');
  expect(withoutBookingReference(text, reference).trim()).toBe(rest.trim());
});
