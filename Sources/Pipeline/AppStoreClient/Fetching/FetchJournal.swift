internal import Diagnostics
internal import Glibc
internal import Pipeline
internal import SystemPackage
internal import TemporaryFiles

/// The journal of `paidline-fetch`: a private text file with one entry per line; lines are
/// appended.
///
/// ```
/// paidline-fetch 1
/// chain 2000000300000001 settled 1714557600000 production - 1714557600000_2000000400000017
/// notifications production 1698969600000 1714521600000 -
/// part history 48213 20 exports/signed/history-2024-05-01-0001.ndjson.gz
/// done history
/// ```
///
/// If a chain has several lines, the last is valid. The unfinished line of a killed run is removed,
/// and its content is requested again. A long journal is rewritten without outdated lines.
final class FetchJournal {
  private static let header = "paidline-fetch 1"

  private(set) var chains: [ChainNumber: KnownChain] = [:]
  /// The time span for which notifications were last requested, keyed by environment.
  private(set) var notifications: [AppleEnvironment: KnownNotifications] = [:]
  private(set) var parts: [FetchKind: ExportPart.Account] = [:]
  private let path: String
  private var descriptor: FileDescriptor
  /// The length of the complete lines, in bytes.
  private var length: Int64 = 0
  private var unwritten: [UInt8] = []
  private var lines = 0

  /// Opens a journal; creates a missing file, readable only by its owner.
  ///
  /// - Throws: ``RunFailure`` with status 78 for a file of another kind, which is left unchanged,
  ///   and 73, 74 or 77 for an error of the system.
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

  func note(_ chain: ChainNumber, _ known: KnownChain) {
    chains[chain] = known
    add("chain \(chain) \(known.words)")
  }

  /// Records the time span for which an environment's notifications were last requested.
  func note(_ store: AppleEnvironment, _ known: KnownNotifications) {
    notifications[store] = known
    add("notifications \(store.rawValue) \(known.words)")
  }

  /// Records the number of synced bytes of an export.
  func note(_ kind: FetchKind, _ account: ExportPart.Account) {
    parts[kind] = account
    add("part \(kind.rawValue) \(account.words)")
  }

  /// Records that an export has its final name.
  func noteDone(_ kind: FetchKind) {
    parts[kind] = nil
    add("done \(kind.rawValue)")
  }

  /// Syncs all recorded entries to the disk.
  func commit() throws(RunFailure) {
    guard !unwritten.isEmpty else { return }
    do {
      // If a write is interrupted, the next write begins at the same offset.
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
      // The next write overwrites the unfinished line of a killed run.
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
          else; move the file away to fetch everything again
          """)
      }
      return
    }
    let words = line.split(separator: " ")
    guard words.count >= 2, understand(words, line) else {
      throw RunFailure(
        .inputOutput,
        """
        \(OneLine.text(path)):\(lines): the journal is damaged here; remove the file to fetch \
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
      guard let store = AppleEnvironment(rawValue: String(words[1])),
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

  /// Writes a new journal without outdated lines, and replaces the current journal.
  private func rewrite() throws(RunFailure) {
    let draft = try NewFile(path, .list)
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
