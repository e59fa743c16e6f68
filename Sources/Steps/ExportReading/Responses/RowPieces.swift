public import PurchaseModel

/// Takes the rows of a file piece by piece while it is read, so that a file of any size fits into
/// little memory.
///
/// Only the end of the file shows whether it is used: the taken rows must be dropped when reading
/// fails.
public struct RowPieces {
  /// The number of bytes of rows after which a part is delivered.
  public var bytes: Int
  /// Takes a piece, whose symbols are those of all pieces so far; false ends the reading with
  /// ``ExportError/cancelled``.
  ///
  /// Keeping the piece's symbols makes the reader copy them.
  public var take: (Observations) -> Bool

  /// Drops the taken rows: the file is read again from its beginning.
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
  /// The size of the rows in bytes, without texts and spare room.
  public var rowBytes: Int {
    records.count * MemoryLayout<ReceiptRecord>.stride
      + observations.count * MemoryLayout<TransactionObservation>.stride
      + renewals.count * MemoryLayout<RenewalObservation>.stride
      + reports.count * MemoryLayout<PriceReport>.stride
      + offers.count * MemoryLayout<OfferPrice>.stride
  }
}
