import { expect, it } from 'vitest';
import { dayOf, localTimeAt } from './local-day.ts';
import { readTimeQuestion } from './read-time-question.ts';
import { answerTimeQuestion } from './reply-to-time-question.ts';
import { loadSailings } from './sailings.ts';

const timetable = loadSailings();

const SUMMER = { day: dayOf(2026, 7, 14), minutes: 560 };
const WINTER = { day: dayOf(2026, 11, 24), minutes: 560 };

function ask(text: string, now = SUMMER): string | null {
  const question = readTimeQuestion(text, timetable, now, { route: null, words: '', isFollowUp: false });
  return question === null ? null : (answerTimeQuestion(question, timetable, now)?.text ?? null);
}

it.each([
  ['when is the next ferry to tarrow', 'leaves today at 09:45 and arrives at 10:20. That is in 25 minutes.'],
  ['last boat back from mewsay tonight', 'from Mewsay to Port Hallan leaves today at 19:15'],
  ['first ferry to mewsay on saturday', 'leaves on Saturday 18 July at 07:00'],
  ['how many ferries to tarrow are left today', 'There are 7 ferries left'],
  ['is there a ferry to mewsay at 3 pm', 'No, there is no ferry from Port Hallan to Mewsay at 15:00 today'],
  ['ferries from tarrow after 8pm', '21:10'],
  [
    'anything to tarrow between 2 and 4 this afternoon',
    'There is 1 ferry left from Port Hallan to Tarrow today: 15:00',
  ],
  [
    'i need to be on mewsay by noon, which one do i take',
    'take the ferry that leaves today at 10:30 and arrives at 11:45',
  ],
  ['i have to be in mewsay at noon, which boat should i take', 'take the ferry that leaves today at 10:30'],
  [
    'i must be at the ferry at 10:30, does it go to mewsay',
    'Yes, there is a ferry from Port Hallan to Mewsay',
  ],
  ['is there a 10:30 to mewsay today', 'Yes, there is a ferry from Port Hallan to Mewsay at 10:30'],
  [
    'earliest boat off tarrow tomorrow',
    'The first ferry from Tarrow to Port Hallan leaves tomorrow at 07:10',
  ],
  ['is there a ferry to tarrow at half past six tonight', 'Yes, there is a ferry'],
  ['ferries to tarrow on saturday 8 august', 'on Saturday 8 August'],
  ['what is the last boat from tarrow in summer', 'leaves today at 21:10'],
  ['do you sail on christmas day', 'There are no sailings on Friday 25 December'],
  [
    'from port hallan to lunnet today, when do i leave',
    'leave Port Hallan at 10:30, change in Mewsay at 12:30',
  ],
])('answers "%s"', (text, answer) => {
  expect(ask(text)).toContain(answer);
});

it('names both ferries of the next connection when none is left today', () => {
  const evening = { day: SUMMER.day, minutes: 900 };
  expect(ask('when is the ferry from port hallan to lunnet', evening)).toContain(
    'There is no connection from Port Hallan to Lunnet left today. The next one tomorrow: leave Port Hallan at 07:00, change in Mewsay at 09:00',
  );
});

it('says that the last ferry has gone', () => {
  expect(ask('have i missed the last boat to tarrow', { day: SUMMER.day, minutes: 1_240 })).toContain(
    'left at 20:15. The next one leaves tomorrow at 06:15',
  );
});

it('never names a time of another season', () => {
  expect(ask('ferry times to tarrow today', WINTER)).not.toContain('20:15');
  expect(ask('next boat to lunnet', WINTER)).toContain('on Friday 27 November at 09:00');
});

it('reads the clock of the company', () => {
  expect(localTimeAt(Date.parse('2026-07-14T23:30:00Z'), 'Europe/London')).toEqual({
    day: dayOf(2026, 7, 15),
    minutes: 30,
  });
});

it.each(['ferries to tarrow in january', 'last ferry to mewsay in winter'])(
  'leaves "%s", which is of another season, to the articles',
  (text) => {
    expect(ask(text)).toBeNull();
  },
);
