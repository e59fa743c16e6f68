internal import CZlib
internal import Dispatch
internal import Foundation
internal import Synchronization

/// The first part of a run's minimum time: inflating every export with zlib, several files at a
/// time.
///
/// The largest files are first. The text is discarded; zlib checks its CRC-32 and length.
struct InflateLowerBound {
  let files: Int
  /// The size of the compressed files in bytes.
  private(set) var gzipBytes: Int64 = 0
  /// The size of the inflated text in bytes.
  private(set) var textBytes: Int64 = 0
  /// The time spent decompressing.
  private(set) var used = UsedTime()

  /// Inflates all files in `receipts` and `prices` below the folder.
  init(folder: String, jobs: Int) throws {
    let found = try ["receipts", "prices"].flatMap { name in
      try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(name)")
        .filter { $0.hasSuffix(".gz") }.map { "\(folder)/\(name)/\($0)" }
    }
    let sized = try found.map { path in
      let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int64
      return (path: path, size: size ?? 0)
    }.sorted { ($1.size, $0.path) < ($0.size, $1.path) }
    files = sized.count
    gzipBytes = sized.reduce(0) { $0 + $1.size }
    let next = Atomic<Int>(0)
    let total = Atomic<Int64>(0)
    let damaged = Mutex<String?>(nil)
    used.add {
      DispatchQueue.concurrentPerform(iterations: min(jobs, max(1, sized.count))) { _ in
        while true {
          let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
          guard index < sized.count else { return }
          if let size = Self.inflatedSize(of: sized[index].path) {
            total.wrappingAdd(size, ordering: .relaxed)
          } else {
            damaged.withLock { $0 = sized[index].path }
          }
        }
      }
    }
    if let path = damaged.withLock({ $0 }) {
      throw BenchFailure("\(path) cannot be read, or is not a whole gzip file")
    }
    textBytes = total.load(ordering: .relaxed)
  }

  private static let bufferSize = 256 << 10

  /// Returns the inflated size of a file in bytes; `nil` if the file cannot be inflated.
  private static func inflatedSize(of path: String) -> Int64? {
    guard let file = FileHandle(forReadingAtPath: path) else { return nil }
    defer { try? file.close() }
    let input = UnsafeMutablePointer<UInt8>.allocate(capacity: bufferSize)
    let output = UnsafeMutablePointer<UInt8>.allocate(capacity: bufferSize)
    defer {
      unsafe input.deallocate()
      unsafe output.deallocate()
    }
    var stream = unsafe z_stream()
    guard unsafe paidline_inflate_init(&stream) == Z_OK else { return nil }
    defer { unsafe inflateEnd(&stream) }
    var size: Int64 = 0
    var isInsideMember = true
    while true {
      let received = unsafe read(file.fileDescriptor, input, bufferSize)
      guard received > 0 else { return received == 0 && !isInsideMember ? size : nil }
      unsafe stream.next_in = input
      unsafe stream.avail_in = UInt32(received)
      repeat {
        if !isInsideMember {
          unsafe inflateReset(&stream)
          isInsideMember = true
        }
        unsafe stream.next_out = output
        unsafe stream.avail_out = UInt32(bufferSize)
        let result = unsafe inflate(&stream, Z_NO_FLUSH)
        guard result == Z_OK || result == Z_STREAM_END || result == Z_BUF_ERROR else { return nil }
        size += Int64(bufferSize) - Int64(unsafe stream.avail_out)
        isInsideMember = result != Z_STREAM_END
      } while unsafe stream.avail_in > 0 || (isInsideMember && stream.avail_out == 0)
    }
  }
}
