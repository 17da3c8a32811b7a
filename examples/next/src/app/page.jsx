import { Help } from './help';

/** A page of the server, with a component of the browser on it that gives commands to the chat. */
export default function Page() {
  return (
    <main>
      <h1>Natter in a Next.js app</h1>
      <Help endpoint="/api/chat" />
    </main>
  );
}
