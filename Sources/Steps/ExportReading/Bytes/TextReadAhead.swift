internal import Dispatch
internal import Synchronization

/// A thread that reads, hashes and decompresses an input ahead of the thread that parses it.
///
/// A ring of blocks connects the two threads; the reading thread waits while all blocks are full.
/// An error is delivered after all text that precedes it.
///
/// The source and each block belong to one thread at a time; semaphores transfer them.
@safe final class TextReadAhead: @unchecked Sendable {
  @safe private struct Block {
    let bytes: UnsafeMutableBufferPointer<UInt8>
    var count = 0
    /// The result after the block's bytes: `true` if another block follows, `false` at the end of
    /// the text, or an error.
    var next: Result<Bool, ExportError> = .success(true)
  }

  private static let blockCount = 4

  private var source: TextSource
  private let blocks: UnsafeMutableBufferPointer<Block>
  private let empty = DispatchSemaphore(value: 0)
  private let full = DispatchSemaphore(value: 0)
  private let ended = DispatchSemaphore(value: 0)
  private let isStopping = Atomic<Bool>(false)
  // Used only by the parsing thread.
  private var hasEnded = false
  private var index = 0
  private var position: Int?

  /// Starts the thread; the thread releases its core when it ends.
  init(_ source: TextSource, blockSize: Int, spare: SpareCores) {
    self.source = source
    unsafe blocks = .allocate(capacity: Self.blockCount)
    for index in 0..<Self.blockCount {
      unsafe blocks.initializeElement(at: index, to: Block(bytes: .allocate(capacity: blockSize)))
      empty.signal()
    }
    // A separate queue, so that the work starts even if all other threads wait.
    DispatchQueue(label: "paidline.inflate").async {
      self.fillBlocks()
      spare.give()
      self.ended.signal()
    }
  }

  deinit {
    for index in 0..<Self.blockCount { unsafe blocks[index].bytes.deallocate() }
    unsafe blocks.deinitialize().deallocate()
  }

  /// Writes the next text into the buffer; returns the number of bytes, 0 at the end of the text.
  ///
  /// - Precondition: The buffer is not empty.
  func read(into buffer: UnsafeMutableBufferPointer<UInt8>) throws(ExportError) -> Int {
    while true {
      if position == nil {
        full.wait()
        position = 0
      }
      let start = position ?? 0
      let block = unsafe blocks[index]
      let count = min(buffer.count, block.count - start)
      if count > 0 {
        let text = unsafe UnsafeMutableBufferPointer(rebasing: block.bytes[start..<start + count])
        _ = unsafe buffer.update(fromContentsOf: text)
        position = start + count
        return count
      }
      guard try block.next.get() else { return 0 }
      position = nil
      index = (index + 1) % Self.blockCount
      empty.signal()
    }
  }

  /// Ends the thread and returns the source, at the position that the thread had reached.
  func stop() -> TextSource {
    if !hasEnded {
      isStopping.store(true, ordering: .relaxed)
      empty.signal()
      ended.wait()
      hasEnded = true
    }
    return source
  }

  private func fillBlocks() {
    var index = 0
    while true {
      empty.wait()
      guard !isStopping.load(ordering: .relaxed) else { return }
      unsafe fill(&blocks[index])
      let next = unsafe blocks[index].next
      full.signal()
      guard case .success(true) = next else { return }
      index = (index + 1) % Self.blockCount
    }
  }

  private func fill(_ block: inout Block) {
    block.count = 0
    do throws(ExportError) {
      while unsafe block.count < block.bytes.count {
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: block.bytes[block.count...])
        let received = unsafe try source.read(into: rest)
        guard received > 0 else {
          block.next = .success(false)
          return
        }
        block.count += received
      }
    } catch {
      block.next = .failure(error)
    }
  }
}
