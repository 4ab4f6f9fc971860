/** Sends requests to a worker that replies to each with one message. */

interface Request {
  readonly id: number;
}
interface Waiting<Answer> {
  readonly resolve: (message: Answer) => void;
  readonly reject: (error: Error) => void;
}

export class WorkerCalls<To extends Request, From extends Request & { readonly type: string }> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting<From>>();
  #next = 1;

  /**
   * @param errorOf makes the error of a failed request.
   * @param brokenError makes the error of all open requests if the worker itself fails, from the browser's message.
   */
  constructor(worker: Worker, errorOf: (failure: Extract<From, { readonly type: 'failed' }>) => Error,
    brokenError: (message: string) => Error) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<From>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (isOfType(data, 'failed')) waiting?.reject(errorOf(data));
      else waiting?.resolve(data);
    });
    worker.addEventListener('error', ({ message }) => {
      for (const { reject } of this.#waiting.values()) reject(brokenError(message));
      this.#waiting.clear();
    });
  }

  /** @param type of the answer. */
  async ask<Type extends From['type']>(type: Type,
    request: (id: number) => To): Promise<Extract<From, { readonly type: Type }>> {
    const id = this.#next++;
    const answer = await new Promise<From>((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage(request(id));
    });
    if (isOfType(answer, type)) return answer;
    throw new Error(`The worker replied with ${answer.type} instead of ${type}.`);
  }
}

function isOfType<Message extends { readonly type: string }, Type extends string>(message: Message,
  type: Type): message is Extract<Message, { readonly type: Type }> {
  return message.type === type;
}
