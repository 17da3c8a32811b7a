const ROUTES = [
  { from: 'Port Hallan', to: 'Tarrow', minutes: 35, fare: 9, first: 375, every: 105 },
  { from: 'Port Hallan', to: 'Mewsay', minutes: 75, fare: 14, first: 420, every: 130 },
  { from: 'Mewsay', to: 'Lunnet', minutes: 50, fare: 8, first: 480, every: 95 },
  { from: 'Port Hallan', to: 'Northwick', minutes: 510, fare: 48, first: 1_290, every: 60 },
  { from: 'Tarrow', to: 'Mewsay', minutes: 65, fare: 12, first: 400, every: 115 },
] as const;

type Route = (typeof ROUTES)[number];

const clock = (minutes: number): string =>
  `${String(Math.floor(minutes / 60) % 24).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

function timetable({ minutes, first, every }: Route): string {
  const rows = Array.from({ length: 9 }, (_, index) => {
    const leaves = first + index * every;
    const days = index % 3 === 2 ? 'Friday to Monday' : 'every day';
    return `| ${clock(leaves)} | ${clock(leaves + minutes)} | ${days} | ${index % 2 === 0 ? 'cars and bicycles' : 'no vehicles'} |`;
  });
  return ['| Leaves | Arrives | Days | On board |', '|---|---|---|---|', ...rows].join('\n');
}

function calendar({ from, to, first, minutes }: Route): string {
  return [
    '```ics',
    'BEGIN:VEVENT',
    `SUMMARY:Ferry from ${from} to ${to}`,
    `DTSTART;TZID=Europe/London:20260714T${clock(first).replace(':', '')}00`,
    `DURATION:PT${minutes}M`,
    'BEGIN:VALARM',
    'TRIGGER:-PT90M',
    'DESCRIPTION:Check-in closes soon',
    'END:VALARM',
    'END:VEVENT',
    '```',
  ].join('\n');
}

function section(route: Route): string {
  const { from, to, fare, minutes } = route;
  return `## ${from} to ${to}

The crossing takes ${minutes} minutes. Be at the terminal in time: check-in closes **30 minutes** before departure for cars, and *10 minutes* before for people on foot. In strong wind the ferry may leave from the inner pier; the boards at the entrance say so, and we write to everybody who has left a number.

${timetable(route)}

What it costs, one way:

- Adult **£${fare}.00**, child £${(fare / 2).toFixed(2)}, under five free
- Vehicles
  - car up to 5 m: £${fare * 4}.00
  - motorhome or trailer, by the metre: £${fare}.50
  - bicycle: £2.00, and tandems the same
- Pets travel free
  - on a lead on the open deck
  - in a carrier in the lounge

To change a booking on this route:

1. Open *My bookings* and choose the crossing.
2. Press **Change**, and pick another day or another ferry.
3. Pay the difference, or keep the rest as a voucher for twelve months.

> Changes are free until 24 hours before departure. After that they cost £10 for each booking, not for each person.

For your calendar:

${calendar(route)}

With the command line of your phone or computer you can ask for the state of the ferry at any time: \`curl https://ferries.example/status?route=${from.toLowerCase().replace(' ', '-')}-${to.toLowerCase()}\` answers in one line.`;
}

/** A long answer with headings, tables, nested lists, quotations and code, in pieces as models send them. */
export const LONG_ANSWER: readonly string[] =
  `Here is everything about our routes, with times, fares and rules.\n\n${ROUTES.map(section).join('\n\n')}`.match(
    /\s*\S{1,4}/g,
  ) ?? [];
