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

/** What the camera shows now, as a JPEG. */
export function frameOf(video: HTMLVideoElement): Promise<Blob> {
  return drawn(video, video.videoWidth, video.videoHeight);
}

/** A picture from a file as a JPEG of a bounded size, whatever the browser can decode. @throws DOMException when it is no picture */
export async function pictureOf(file: Blob): Promise<Blob> {
  const bitmap = await createImageBitmap(file);
  try {
    return await drawn(bitmap, bitmap.width, bitmap.height);
  } finally {
    bitmap.close();
  }
}
