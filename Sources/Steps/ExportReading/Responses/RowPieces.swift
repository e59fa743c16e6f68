public import PurchaseModel

/// Receives the rows of a file in parts while it is read, so that a file of any size fits into
/// little memory.
///
/// Only the end of the file shows whether it is usable: if reading fails, the received rows must be
/// discarded.
public struct RowPieces {
  /// The number of bytes of rows per part.
  public var bytes: Int
  /// Receives a part, whose symbols include those of all earlier parts; returning false ends the
  /// reading with ``ExportError/cancelled``.
  ///
  /// Keeping the part's symbols makes the reader copy them.
  public var take: (Observations) -> Bool

  /// Discards the received rows, because the file is read again from its beginning.
  public var restart: () -> Void

  /// Creates the callbacks for a file that is read in parts.
  public init(
    bytes: Int, take: @escaping (Observations) -> Bool, restart: @escaping () -> Void
  ) {
    self.bytes = max(1, bytes)
    self.take = take
    self.restart = restart
  }
}

extension Observations {
  /// The size of the rows in bytes, without texts and unused capacity.
  public var rowBytes: Int {
    records.count * MemoryLayout<ReceiptRecord>.stride
      + observations.count * MemoryLayout<TransactionObservation>.stride
      + renewals.count * MemoryLayout<RenewalObservation>.stride
      + reports.count * MemoryLayout<PriceReport>.stride
      + offers.count * MemoryLayout<OfferPrice>.stride
  }
}
