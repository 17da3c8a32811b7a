import { NatterChat } from 'natter/react';

/** A page of the server that needs nothing but the chat, in its place in the page. */
export default function Page() {
  return (
    <main>
      <h1>Natter in a Next.js app</h1>
      <NatterChat endpoint="/api/chat" renderMode="inline" />
    </main>
  );
}
