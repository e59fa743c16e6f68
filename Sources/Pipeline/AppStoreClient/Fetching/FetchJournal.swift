internal import Diagnostics
internal import Glibc
internal import Pipeline
internal import SystemPackage

/// The journal of `paidline-fetch`: a private text file that only grows, one fact a line.
///
/// ```
/// paidline-fetch 1
/// chain 2000000300000001 settled 1714557600000 production - 1714557600000_2000000400000017
/// notifications production 1698969600000 1714521600000 -
/// part history 48213 20 exports/signed/history-2024-05-01-0001.ndjson.gz
/// done history
/// ```
///
/// The last line about a chain is valid. An unfinished line of a killed run is cut off, and its
/// content is requested again. Long journals are rewritten with each fact once.
final class FetchJournal {
  private static let header = "paidline-fetch 1"

  /// The known state of each chain.
  private(set) var chains: [ChainNumber: KnownChain] = [:]
  /// The time up to which the notifications of each store are fetched.
  private(set) var notifications: [AppleStore: KnownNotifications] = [:]
  private(set) var parts: [FetchKind: ExportPart.Account] = [:]
  private let path: String
  private var descriptor: FileDescriptor
  /// The length of the whole lines, in bytes.
  private var length: Int64 = 0
  private var unwritten: [UInt8] = []
  private var lines = 0

  /// Opens a journal, creating it if it is missing, readable only by its owner.
  ///
  /// - Throws: ``RunFailure`` with 78 for a file of another kind, which stays untouched, and 73, 74
  ///   or 77 for an error of the system.
  init(_ path: String) throws(RunFailure) {
    self.path = path
    descriptor = try Self.open(path)
    do throws(RunFailure) {
      try read()
      if lines > 2 * (chains.count + 16) { try rewrite() }
    } catch {
      try? descriptor.close()
      throw error
    }
  }

  deinit { try? descriptor.close() }

  // MARK: - Facts

  /// Notes the state of a chain.
  func note(_ chain: ChainNumber, _ known: KnownChain) {
    chains[chain] = known
    add("chain \(chain) \(known.words)")
  }

  /// Notes how far the notifications of a store are fetched.
  func note(_ store: AppleStore, _ known: KnownNotifications) {
    notifications[store] = known
    add("notifications \(store.rawValue) \(known.words)")
  }

  /// Notes how much of an export is safe; it must be on the disk already.
  func note(_ kind: FetchKind, _ account: ExportPart.Account) {
    parts[kind] = account
    add("part \(kind.rawValue) \(account.words)")
  }

  /// Notes that an export is in its place.
  func noteDone(_ kind: FetchKind) {
    parts[kind] = nil
    add("done \(kind.rawValue)")
  }

  /// Brings all that was noted to the disk.
  func commit() throws(RunFailure) {
    guard !unwritten.isEmpty else { return }
    do {
      // After a write that broke off, the next one begins at the same offset.
      _ = try descriptor.writeAll(toAbsoluteOffset: length, unwritten)
    } catch {
      throw Self.failure(error, path)
    }
    guard fdatasync(descriptor.rawValue) == 0 else {
      throw Self.failure(Errno(rawValue: errno), path)
    }
    length += Int64(unwritten.count)
    unwritten.removeAll(keepingCapacity: true)
  }

  private func add(_ line: String) {
    unwritten += Array((line + "\n").utf8)
    lines += 1
  }

  // MARK: - Reading

  private static func open(_ path: String) throws(RunFailure) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        FilePath(path), .readWrite, options: [.create, .closeOnExec, .noFollow],
        permissions: [.ownerReadWrite])
    } catch {
      throw failure(error, path)
    }
  }

  private func read() throws(RunFailure) {
    var buffer = [UInt8](repeating: 0, count: 1 << 20)
    var rest: [UInt8] = []
    var offset: Int64 = 0
    do {
      while true {
        let count = try unsafe buffer.withUnsafeMutableBytes { bytes in
          try unsafe descriptor.read(fromAbsoluteOffset: offset, into: bytes)
        }
        if count == 0 { break }
        offset += Int64(count)
        rest += buffer[..<count]
        var start = 0
        while let end = rest[start...].firstIndex(of: UInt8(ascii: "\n")) {
          try take(String(decoding: rest[start..<end], as: UTF8.self))
          start = end + 1
        }
        rest.removeSubrange(..<start)
      }
      // The unfinished line of a killed run is overwritten.
      length = offset - Int64(rest.count)
      if !rest.isEmpty { try descriptor.resize(to: length) }
    } catch {
      throw Self.failure(error, path)
    }
    if lines == 0 { add(Self.header) }
  }

  private func take(_ line: String) throws(RunFailure) {
    lines += 1
    guard lines > 1 else {
      guard line == Self.header else {
        throw RunFailure(
          .badConfiguration,
          """
          \(OneLine.text(path)): expected a journal of paidline-fetch, version 1, found something \
          else; move it away to fetch everything again
          """)
      }
      return
    }
    let words = line.split(separator: " ")
    guard words.count >= 2, understand(words, line) else {
      throw RunFailure(
        .inputOutput,
        """
        \(OneLine.text(path)):\(lines): the journal is damaged here; remove it to fetch \
        everything again
        """)
    }
  }

  private func understand(_ words: [Substring], _ line: String) -> Bool {
    switch words[0] {
    case "chain":
      guard let chain = ChainNumber(words[1]), let known = KnownChain(words: words.dropFirst(2))
      else { return false }
      chains[chain] = known
    case "notifications":
      guard let store = AppleStore(rawValue: String(words[1])),
        let known = KnownNotifications(words: words.dropFirst(2))
      else { return false }
      notifications[store] = known
    case "part":
      guard let kind = FetchKind(rawValue: String(words[1])),
        let account = ExportPart.Account(line: line)
      else { return false }
      parts[kind] = account
    case "done":
      guard let kind = FetchKind(rawValue: String(words[1])) else { return false }
      parts[kind] = nil
    default: return false
    }
    return true
  }

  // MARK: - Compaction

  /// Writes each fact once into a new journal, which replaces the current journal.
  private func rewrite() throws(RunFailure) {
    let draft = try DraftFile(path, isPrivate: true)
    unwritten.removeAll()
    lines = 0
    add(Self.header)
    for (chain, known) in chains.sorted(by: { $0.key < $1.key }) {
      add("chain \(chain) \(known.words)")
      if unwritten.count > 1 << 20 {
        try draft.write(unwritten)
        unwritten.removeAll(keepingCapacity: true)
      }
    }
    for (store, known) in notifications.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      add("notifications \(store.rawValue) \(known.words)")
    }
    for (kind, account) in parts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      add("part \(kind.rawValue) \(account.words)")
    }
    try draft.write(unwritten)
    unwritten.removeAll()
    try draft.finish()
    try draft.publish()
    try? descriptor.close()
    descriptor = try Self.open(path)
    do {
      length = try PathStatus(of: descriptor).size
    } catch {
      throw Self.failure(error, path)
    }
  }

  private static func failure(_ error: any Error, _ path: String) -> RunFailure {
    error as? RunFailure
      ?? .system(error as? Errno ?? .ioError, "writing the journal \(path)", isOutput: true)
  }
}
