// Dragging one's own token: the square under the finger, and where it is let go.

const FAR = 6; // pixels until a press is a drag

/** Have tokens dragged on a map. `own(id)` says where one that may be taken is: {x, y}, or null; `idOf` whose marker an
 * event is about, `squareAt` its square. `over` is told each square that the token would lie on and its id, `drop` the last
 * of them, or null where it was let go of the map. */
export function takeInHand(root, { own, idOf, squareAt, over, drop }) {
  let held = null; // {id, pointer, from, grip, at}: where it was taken, and by which of its squares
  const ours = (event) => held !== null && event.pointerId === held.pointer;
  const stop = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  root.addEventListener("pointerdown", (event) => {
    const id = idOf(event.target);
    const token = event.button === 0 && event.isPrimary ? own(id) : null;
    if (token === null) return;
    const square = squareAt(event);
    const grip = { x: square.x - token.x, y: square.y - token.y };
    held = { id, pointer: event.pointerId, from: event, grip, at: null };
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
    over(at, held.id);
  }, { capture: true });
  const end = (event, square) => {
    if (!ours(event)) return;
    const { id, at } = held;
    held = null;
    root.removeAttribute("data-hand");
    if (at === null) return; // a tap: the click says what it is about
    stop(event);
    root.addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => root.removeEventListener("click", stop, { capture: true }));
    drop(square, id);
  };
  root.addEventListener("pointerup", (event) => end(event, held?.at ?? null), { capture: true });
  root.addEventListener("pointercancel", (event) => end(event, null), { capture: true });
}

/** Have squares brushed on a map while it is `on()`: `over` and `done` are told the first and the last of a rectangle. */
export function takeBrush(root, { on, squareAt, over, done }) {
  let from = null;
  const rectangle = (event) => {
    const to = squareAt(event);
    const [left, right] = [from.x, to.x].sort((one, other) => one - other);
    const [top, bottom] = [from.y, to.y].sort((one, other) => one - other);
    return [{ x: left, y: top }, { x: right, y: bottom }];
  };
  const stop = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  root.addEventListener("pointerdown", (event) => {
    if (!on() || event.button !== 0 || !event.isPrimary) return;
    from = squareAt(event);
    root.setPointerCapture(event.pointerId);
    stop(event);
    over(...rectangle(event));
  }, { capture: true });
  root.addEventListener("pointermove", (event) => {
    if (from === null) return;
    stop(event);
    over(...rectangle(event));
  }, { capture: true });
  root.addEventListener("pointerup", (event) => {
    if (from === null) return;
    stop(event);
    const found = rectangle(event);
    from = null;
    root.addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => root.removeEventListener("click", stop, { capture: true }));
    done(...found);
  }, { capture: true });
  root.addEventListener("pointercancel", () => (from = null), { capture: true });
}
