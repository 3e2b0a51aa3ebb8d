// Dragging one's own token: the square under the finger, and where it is let go.

const FAR = 6; // pixels until a press is a drag

/** Have a token dragged on a map. `own` says which one is in hand now: {id, x, y}, or null; `idOf` whose marker an event
 * is about, `squareAt` its square. `over` is told each square that the token would lie on, `drop` the last of them, or
 * null where it was let go of the map. */
export function takeInHand(root, { own, idOf, squareAt, over, drop }) {
  let held = null; // {pointer, from, grip, at}: where it was taken, and by which of its squares
  const ours = (event) => held !== null && event.pointerId === held.pointer;
  const stop = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  root.addEventListener("pointerdown", (event) => {
    const token = own();
    if (token === null || event.button !== 0 || !event.isPrimary || idOf(event.target) !== token.id) return;
    const square = squareAt(event);
    const grip = { x: square.x - token.x, y: square.y - token.y };
    held = { pointer: event.pointerId, from: event, grip, at: null };
    event.stopPropagation(); // the view doesn't move
  }, { capture: true });
  root.addEventListener("pointermove", (event) => {
    if (!ours(event)) return;
    stop(event);
    if (held.at === null) {
      if (Math.hypot(event.clientX - held.from.clientX, event.clientY - held.from.clientY) < FAR) return;
      root.setPointerCapture(event.pointerId);
      root.toggleAttribute("data-hand", true);
    }
    const square = squareAt(event);
    const at = { x: square.x - held.grip.x, y: square.y - held.grip.y };
    if (held.at?.x === at.x && held.at?.y === at.y) return;
    held.at = at;
    over(at);
  }, { capture: true });
  const end = (event, square) => {
    if (!ours(event)) return;
    const dragged = held.at !== null;
    held = null;
    root.removeAttribute("data-hand");
    if (!dragged) return; // a tap: the click says what it is about
    stop(event);
    root.addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => root.removeEventListener("click", stop, { capture: true }));
    drop(square);
  };
  root.addEventListener("pointerup", (event) => end(event, held?.at ?? null), { capture: true });
  root.addEventListener("pointercancel", (event) => end(event, null), { capture: true });
}
