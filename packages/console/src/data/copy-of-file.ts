/** A copy of a file in memory: what is sent is what was chosen, whatever becomes of the file on the disk. @throws when the browser may read it no more */
export async function copyOfFile(file: File): Promise<File> {
  return new File([await file.arrayBuffer()], file.name, { type: file.type });
}
