internal import Diagnostics
internal import PurchaseModel
internal import TemporaryFiles

/// The key of a record in an external sort: a number, encoded so that its bytes sort like the
/// number.
struct SortedKey {
  private var bits: UInt64

  /// Creates a key from two numbers of at least 0, sorted by the first, then by the second number.
  init(_ first: Int32, _ second: Int32) {
    bits = (UInt64(UInt32(bitPattern: first)) << 32 | UInt64(UInt32(bitPattern: second))).bigEndian
  }

  init(_ id: TransactionID) { bits = id.number.rawValue.bigEndian }

  /// Creates a key from an evidence id, which may be negative.
  init(evidenceID: Int64) { bits = (UInt64(bitPattern: evidenceID) ^ 1 << 63).bigEndian }

  init(_ chain: ChainKey) { bits = UInt64(bitPattern: chain.rawValue).bigEndian }

  /// Reads the key of a record.
  init(_ bytes: UnsafeRawBufferPointer) { unsafe bits = bytes.loadUnaligned(as: UInt64.self) }

  /// The first of the two numbers of the key.
  var first: Int32 { Int32(truncatingIfNeeded: UInt64(bigEndian: bits) >> 32) }
  var chain: ChainKey { ChainKey(rawValue: Int64(bitPattern: UInt64(bigEndian: bits))) }
  var transactionID: TransactionID { TransactionID(AppleNumber(rawValue: UInt64(bigEndian: bits))) }

  /// Passes the bytes of the key to `body`.
  fileprivate func withBytes(_ body: (UnsafeRawBufferPointer) throws(RunFailure) -> Void)
    throws(RunFailure)
  {
    let result = unsafe withUnsafeBytes(of: bits) { bytes in
      Result { () throws(RunFailure) in try unsafe body(bytes) }
    }
    try result.get()
  }
}

extension ExternalSort.Writer {
  /// Adds a record with the given bytes as its value.
  func add(_ key: SortedKey, _ value: UnsafeRawBufferPointer) throws(RunFailure) {
    try unsafe key.withBytes { key throws(RunFailure) in
      try unsafe add(key: key, value: value)
    }
  }

  /// Adds a record with the bytes of one value.
  func add<Value: BitwiseCopyable>(_ key: SortedKey, value: Value) throws(RunFailure) {
    let added = unsafe withUnsafeBytes(of: value) { bytes in
      Result { () throws(RunFailure) in try unsafe add(key, bytes) }
    }
    try added.get()
  }
}

extension ExternalSort.Reader {
  /// Reads the value of the current record.
  func value<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
    unsafe value.loadUnaligned(as: type)
  }
}
