/** Pages of the demo site that are not articles; each is rendered beside the articles that `related` matches. */

/** Page to which Ada sends a visitor who wants to pay. No money is transferred. */
export const PAY = {
  title: 'Pay your balance',
  html: '<p>The balance of your booking is <strong>£42.00</strong>. This is a demonstration: nothing is charged.</p><form method="post"><p class="actions"><button class="button" type="submit">Pay £42.00</button></p></form>',
  related: /pay|refund/,
} as const;

export const PAID = {
  title: 'Payment received',
  html: '<p>Thank you. Ada tells you the rest in your chat.</p>',
  related: /pay|refund/,
} as const;

export const NOT_PAID = {
  title: 'Nothing to pay here',
  html: '<p>This link has been used, or is more than an hour old. Ask Ada for a new one.</p>',
  related: /pay|refund/,
} as const;

export const NOT_FOUND = {
  title: 'This page has sailed',
  html: '<p>There is no page at this address. It may have moved, or the link has a mistake in it.</p><ul><li><a href="/">Start page</a></li><li><a href="/timetable.html">Timetable</a></li><li><a href="/help">Help centre</a></li></ul>',
  related: /^(?:contact|how-to-book|check-in-times|live-sailing-status)$/,
} as const;

/** `book.ts` passes the chosen route to the chat. */
export const BOOKING = {
  title: 'Book a crossing',
  html: `<p>Choose your crossing. Ada knows what you have chosen: ask her for the next ferry.</p>
<form class="booking" id="booking">
  <label>Route <select name="route" autocomplete="off">
    <option>Port Hallan to Tarrow</option>
    <option>Port Hallan to Mewsay</option>
    <option>Mewsay to Lunnet</option>
    <option>Port Hallan to Farholm</option>
  </select></label>
  <label>Day <input type="date" name="day" required /></label>
  <label>Adults <input type="number" name="adults" value="2" min="1" max="9" required /></label>
  <button class="button" type="submit">Continue</button>
  <p role="status" id="booking-status"></p>
</form>`,
  related: /book|change|cancel/,
} as const;
