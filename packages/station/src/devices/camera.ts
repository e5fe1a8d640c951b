/** Longest side of a photo, in pixels: a label in it can still be read. */
const MAX_SIDE = 1920;
const QUALITY = 0.85;

function drawn(source: CanvasImageSource, width: number, height: number): Promise<Blob> {
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(source, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob === null ? reject(new Error('The browser could not encode the picture')) : resolve(blob)),
      'image/jpeg',
      QUALITY,
    );
  });
}

const frameOf = (video: HTMLVideoElement): Promise<Blob> => drawn(video, video.videoWidth, video.videoHeight);

/** A picture from a file as a JPEG of a bounded size, whatever the browser can decode. @throws DOMException when it is no picture */
export async function pictureOf(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file);
  try {
    return await drawn(bitmap, bitmap.width, bitmap.height);
  } finally {
    bitmap.close();
  }
}

export type CameraState = 'off' | 'starting' | 'on' | 'denied';

/** The camera of the bench. It is off until somebody asks for it, and stays on for the parcels that follow. */
export class Camera {
  readonly #onState: (state: CameraState) => void;
  #stream: MediaStream | undefined;
  /** Sees what photos are taken from. It is no part of the document, so it goes on when another parcel is shown. */
  #eye: HTMLVideoElement | undefined;

  constructor(onState: (state: CameraState) => void) {
    this.#onState = onState;
  }

  showIn(video: HTMLVideoElement | null): void {
    if (video !== null) video.srcObject = this.#stream ?? null;
  }

  /** Takes a photo; the first time, starts the camera instead. @returns undefined when there is no photo */
  async shoot(): Promise<Blob | undefined> {
    if (this.#eye === undefined) return this.#start();
    return this.#eye.videoWidth === 0 ? undefined : frameOf(this.#eye);
  }

  stop(): void {
    for (const track of this.#stream?.getTracks() ?? []) track.stop();
    this.#stream = undefined;
    this.#eye = undefined;
    this.#onState('off');
  }

  async #start(): Promise<undefined> {
    // Without HTTPS a browser has no camera for a page.
    if (navigator.mediaDevices === undefined) {
      this.#onState('denied');
      return;
    }
    this.#onState('starting');
    try {
      const wanted = { width: { ideal: 1920 }, height: { ideal: 1080 }, facingMode: { ideal: 'environment' } };
      this.#stream = await navigator.mediaDevices.getUserMedia({ video: wanted, audio: false });
      const eye = document.createElement('video');
      eye.muted = true;
      eye.playsInline = true;
      eye.srcObject = this.#stream;
      await eye.play();
      this.#eye = eye;
    } catch (error) {
      // Refused, or there is no camera: a file can be taken instead.
      if (!(error instanceof DOMException)) throw error;
      this.stop();
      this.#onState('denied');
      return;
    }
    for (const track of this.#stream.getTracks()) track.addEventListener('ended', () => this.stop(), { once: true });
    this.#onState('on');
  }
}
