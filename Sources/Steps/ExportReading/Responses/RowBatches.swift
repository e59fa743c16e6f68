public import PurchaseModel

/// Receives the rows of a file in parts, so that a file of any size needs little memory.
///
/// A file may prove to be damaged at its end. If reading fails, the received rows must be
/// discarded.
public struct RowBatches {
  /// The number of bytes of rows at which a part is passed to ``take``.
  public var bytes: Int
  /// Receives a part; returns false to end the reading with ``ExportError/cancelled``.
  ///
  /// The part's symbols include the symbols of all earlier parts. If the closure stores the part's
  /// symbols, the reader has to copy them.
  public var take: (Observations) -> Bool

  /// Creates the callbacks for a file that is read in parts.
  public init(bytes: Int, take: @escaping (Observations) -> Bool) {
    self.bytes = max(1, bytes)
    self.take = take
  }
}

extension Observations {
  /// The size of the rows in bytes, excluding their texts and unused capacity.
  public var rowBytes: Int {
    records.count * MemoryLayout<ReceiptRecord>.stride
      + observations.count * MemoryLayout<TransactionObservation>.stride
      + renewals.count * MemoryLayout<RenewalObservation>.stride
      + reports.count * MemoryLayout<PriceReport>.stride
      + offers.count * MemoryLayout<OfferPrice>.stride
  }
}
