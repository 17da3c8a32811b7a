/** The part of the chat's page interface that the booking page uses. */
interface PageChat {
  setContext(context: Readonly<Record<string, string>>): Promise<void>;
}

const form = document.querySelector<HTMLFormElement>('#booking');
const status = document.querySelector('#booking-status');
if (form === null || status === null) throw new Error('The page has no booking form.');

/** Passes the form's content to the chat, so that the agent knows the route. */
function shareChoice(): void {
  const context = { page: 'Booking' };
  for (const [name, value] of new FormData(form ?? undefined))
    Object.assign(context, { [name]: String(value) });
  const { Natter: chat } = window as typeof window & { readonly Natter?: PageChat };
  chat?.setContext(context).catch((error: unknown) => {
    console.error(error);
  });
}

form.addEventListener('change', shareChoice);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  status.textContent = 'This is a demonstration: nothing is booked, and nothing is charged.';
});
// Module scripts may run before the chat's deferred script; the load event comes after both.
window.addEventListener('load', shareChoice);

export {};
