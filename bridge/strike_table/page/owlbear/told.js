// What the table has told, as its events change it. For the pages in Owlbear; nothing is drawn here.

import { Line } from "/static/line.js";

const MOST = 50; // results that are kept

export class Told {
  scene = null;
  tokens = new Map();
  order = null;
  results = [];
  #changed;
  #happened;

  /** `changed` is told that something is another, `happened` a result that is new or was taken back. */
  constructor({ changed = () => {}, happened = () => {} }) {
    this.#changed = changed;
    this.#happened = happened;
  }

  /** What is done with each kind of event. */
  events() {
    const changing = (change) => (data) => {
      change(data);
      this.#changed();
    };
    return {
      snapshot: changing(({ scene, tokens, order, results }) => {
        const tokenOf = new Map(tokens.map((token) => [token.id, token]));
        Object.assign(this, { scene, tokens: tokenOf, order, results: results.slice(-MOST) });
      }),
      scene: changing((scene) => (this.scene = scene)),
      token: changing((token) => this.tokens.set(token.id, token)),
      "token-removed": changing(({ id }) => this.tokens.delete(id)),
      order: changing((order) => (this.order = order)),
      result: changing((result) => this.#add(result)),
      "result-removed": changing(({ id }) => (this.results = this.results.filter((one) => one.id !== id))),
    };
  }

  #add(result) {
    const at = this.results.findIndex(({ id }) => id === result.id);
    const before = this.results[at];
    if (before) this.results[at] = result;
    else this.results = [...this.results, result].slice(-MOST);
    if (!before || (result.undone && !before.undone)) this.#happened(result);
  }
}

/** Follow the table, with the link that stands in our own address, if any. Owlbear adds to that address as it likes. */
export function follow(told, onState) {
  const link = /[?&]watch=([0-9a-f]+)/.exec(location.search)?.[1];
  const address = (path, query = {}) => `${path}?${new URLSearchParams({ ...query, ...(link ? { watch: link } : {}) })}`;
  new Line({ address, events: told.events(), onState }).open();
}
